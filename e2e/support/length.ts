/** How often each act is repeated: once, or three times in the long form (`npm run verify -- --long`). */
export const runs = Number(process.env.ACTED_RUNS ?? 1)
export const isLong = runs > 1

/** All variants in the long form, or just the first few in the short form. */
export function some<T>(all: readonly T[], count = 1): readonly T[] {
  return isLong ? all : all.slice(0, count)
}

/** A tag for tests that only run in the long form, because a shorter test covers the same rule. */
export const long = { tag: '@long' } as const
