/** The programs that run in separate processes, built in the same way as the server. */
export const newcomerSides = {
  folder: 'bench-face-servers',
  sources: { 'newcomers-side': 'lab/bench/face-servers/newcomers-side.ts' },
} as const

/** Typical settings for a server of this size. */
export const serverSettings = ['shared_buffers=1GB', 'max_wal_size=4GB', 'max_parallel_workers_per_gather=2']
