/** The programs of the search bench, built as the server is. */
export const searchSides = {
  folder: 'bench-search',
  sources: {
    side: 'lab/bench/search/side.ts',
    'store-side': 'lab/bench/search/store-side.ts',
    'search.worker': 'server/features/recognition/search/search.worker.ts',
  },
} as const
