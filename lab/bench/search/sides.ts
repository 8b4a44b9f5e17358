/** The search bench's programs, built in the same way as the server. */
export const searchSides = {
  folder: 'bench-search',
  sources: {
    side: 'lab/bench/search/side.ts',
    'store-side': 'lab/bench/search/store-side.ts',
    'search.worker': 'server/features/recognition/index/threads/search.worker.ts',
  },
} as const
