/** What processes of their own run here, as the server is built. */
export const newcomerSides = {
  folder: 'bench-face-servers',
  sources: { 'newcomers-side': 'lab/bench/face-servers/newcomers-side.ts' },
} as const

/** What a server of this size would be given. */
export const serverSettings = ['shared_buffers=1GB', 'max_wal_size=4GB', 'max_parallel_workers_per_gather=2']
