/** How often each act is repeated; ten times in the long form, `npm run verify -- --long`. */
export const runs = Number(process.env.ACTED_RUNS ?? 1)
export const isLong = runs > 1

/** Of several that differ in one thing alone, all in the long form and the first ones in the short form. */
export function some<T>(all: readonly T[], count = 1): readonly T[] {
  return isLong ? all : all.slice(0, count)
}

/** Of a test whose rule a shorter one proves as well: it runs in the long form alone. */
export const long = { tag: '@long' } as const
