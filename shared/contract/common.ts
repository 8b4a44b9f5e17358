import * as v from 'valibot'

/** A text with what it means. */
export function text(meaning: string) {
  return v.pipe(v.string(), v.description(meaning))
}

/** A moment as ISO 8601 in UTC, with what it means. */
export function timestamp(meaning: string) {
  return v.pipe(v.string(), v.description(meaning), v.metadata({ format: 'date-time' }))
}

/** A yes or no, with what yes means. */
export function flag(meaning: string) {
  return v.pipe(v.boolean(), v.description(meaning))
}

/** A grey square of eight pixels, a JPEG in Base64: what stands for a picture in the examples. */
export const tinyJpeg =
  '/9j/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////' +
  'wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AX//Z'

/** A whole number that arrives as text in a query string. */
export function queryInteger(minimum: number, maximum: number) {
  return v.pipe(
    v.union([
      v.pipe(v.string(), v.regex(/^-?\d{1,15}$/, 'Must be a whole number.'), v.transform(Number)),
      v.number(),
    ]),
    v.number(),
    v.integer(),
    v.minValue(minimum, `Must be at least ${minimum}.`),
    v.maxValue(maximum, `Must be at most ${maximum}.`),
  )
}
