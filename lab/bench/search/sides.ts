/** What the bench of the search runs, as the server is built. */
export const searchSides = {
  folder: 'bench-search',
  sources: {
    side: 'lab/bench/search/side.ts',
    'store-side': 'lab/bench/search/store-side.ts',
    'search.worker': 'server/features/recognition/search/search.worker.ts',
  },
} as const
