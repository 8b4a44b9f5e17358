import * as v from 'valibot'

/** A whole number that arrives as text in a query string. */
export function queryInteger(minimum: number, maximum: number) {
  return v.pipe(
    v.union([
      v.pipe(v.string(), v.regex(/^-?\d{1,15}$/, 'Must be a whole number.'), v.transform(Number)),
      v.number(),
    ]),
    v.integer(),
    v.minValue(minimum, `Must be at least ${minimum}.`),
    v.maxValue(maximum, `Must be at most ${maximum}.`),
  )
}
