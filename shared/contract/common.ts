import * as v from 'valibot'

/** Shared image input: an address or the Base64 text of a JPEG or PNG. */
export const image = v.object({
  /** Address of a JPEG or PNG image. */
  url: v.optional(v.nullable(v.string())),
  /** Base64 string of a binary JPEG or PNG image. */
  bytes: v.optional(v.nullable(v.string())),
})
export type Image = v.InferOutput<typeof image>

/** Where a face is in the picture, in whole pixels. */
export const boundingBox = v.object({
  x: v.pipe(v.number(), v.integer()),
  y: v.pipe(v.number(), v.integer()),
  width: v.pipe(v.number(), v.integer()),
  height: v.pipe(v.number(), v.integer()),
})

/** Shared face output. */
export const face = v.object({
  /** Face detection score, 0...1; higher is better. */
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  boundingBox,
})

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
