/** The programs that run in separate processes, built as the server is. */
export const newcomerSides = {
  folder: 'bench-face-servers',
  sources: { 'newcomers-side': 'lab/bench/face-servers/newcomers-side.ts' },
} as const

/** Settings that a server of this size would have. */
export const serverSettings = ['shared_buffers=1GB', 'max_wal_size=4GB', 'max_parallel_workers_per_gather=2']
