/** How often each act is repeated; ten times in the long form, `npm run verify -- --long`. */
export const runs = Number(process.env.ACTED_RUNS ?? 1)
export const isLong = runs > 1

/** In the long form all variants, in the short form only the first ones. */
export function some<T>(all: readonly T[], count = 1): readonly T[] {
  return isLong ? all : all.slice(0, count)
}

/** Tag for tests that run only in the long form, because a shorter test covers the same rule. */
export const long = { tag: '@long' } as const
