import * as v from 'valibot'

/** A picture's limits. The number of pixels is read from its header before decoding. */
export const imageLimits = { bytes: 10 * 1024 * 1024, pixels: 40_000_000 } as const

const isGiven = (value: string | null | undefined) => value !== undefined && value !== null
/** An empty string counts as absent if the other member is given, because typed clients send it for unused members. */
const isFilled = (value: string | null | undefined) => isGiven(value) && value !== ''

/** A picture in a request, given by its bytes or by its address. */
export const image = v.pipe(
  v.object({
    url: v.optional(
      v.nullable(
        v.pipe(
          v.string(),
          v.description('Address (http or https) of a JPEG or PNG picture; public addresses only.'),
        ),
      ),
    ),
    bytes: v.optional(
      v.nullable(
        v.pipe(
          v.string(),
          v.description(
            'Base64 of a JPEG or PNG picture, in either alphabet of RFC 4648; line breaks and a prefix `data:image/…;base64,` are ignored.',
          ),
        ),
      ),
    ),
  }),
  v.check(
    ({ url, bytes }) => isGiven(url) !== isGiven(bytes) || isFilled(url) || isFilled(bytes),
    'Must have url or bytes.',
  ),
  v.check(
    ({ url, bytes }) => !(isFilled(url) && isFilled(bytes)),
    'Must have either url or bytes, not both.',
  ),
  v.description(
    'One picture, by its bytes or its address: JPEG or PNG, at most 10 MiB and 40 megapixels. Its EXIF orientation is applied.',
  ),
)
export type Image = v.InferOutput<typeof image>

/** JSON pointers for reporting what is wrong with a picture. */
export interface ImagePointers {
  readonly bytes: string
  readonly url: string
}

export const imagePointers: ImagePointers = { bytes: '#/image/bytes', url: '#/image/url' }

const pixels = (text: string) => v.pipe(v.number(), v.integer(), v.description(text))

/** A detected face. */
export const face = v.pipe(
  v.object({
    confidence: v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description('Certainty of the detection, 0.0 to 1.0; higher is better.'),
    ),
    boundingBox: v.pipe(
      v.object({
        x: pixels('Left edge of the face, in pixels of the upright picture.'),
        y: pixels('Upper edge of the face, in pixels of the upright picture.'),
        width: pixels('Width of the face in pixels.'),
        height: pixels('Height of the face in pixels.'),
      }),
      v.description('The face from the hairline to the chin, as far as it is inside the upright picture.'),
    ),
  }),
  v.description('A detected face.'),
)
export type Face = v.InferOutput<typeof face>

/** [Note: Ours] */
export const isComparable = v.pipe(
  v.boolean(),
  v.description(
    'False if the picture shows too little of the person to be compared. The face then matches no other face.',
  ),
)

/** [Note: Ours] At most 100 faces per picture. Every endpoint defaults to 1. */
export const maxFaceCount = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(100),
    v.description('Maximum number of faces to process, dominant ones first; 1 to 100.'),
  ),
  1,
)

export const unprocessedFaceCount = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.description('Number of detected faces that were not processed.'),
)
