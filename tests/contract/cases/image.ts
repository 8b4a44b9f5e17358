import { fakeJpeg } from '../../support/drawn/fake-picture.ts'
import type { Cases, Limit } from '../contract-case.ts'

/** A picture as it appears in a request body. */
export const imageOf = (bytes: Uint8Array) => ({ bytes: Buffer.from(bytes).toString('base64') })

const image = imageOf(fakeJpeg({ person: 'anna' }))

/** A request for each status that an endpoint for a single picture may return. */
export const imageCases: Cases[string] = {
  200: ({ key }) => ({ authorization: key, body: { image } }),
  400: ({ key }) => ({ authorization: key, body: { image: {} } }),
  401: () => ({ body: { image } }),
  403: async ({ keyWith }) => ({ authorization: await keyWith('configure', 'tokens'), body: { image } }),
}

/** The limits for a picture. */
export const pictureLimits: readonly Limit[] = [
  {
    says: 'product: image at most 40 megapixels',
    within: [[8000, 5000]],
    beyond: [
      [8000, 5001],
      [65_535, 65_535],
    ],
    pointer: '#/image/bytes',
    send: ({ key }, [width, height]: [number, number]) => ({
      authorization: key,
      body: { image: imageOf(fakeJpeg({ person: 'anna' }, width, height)) },
    }),
  },
  {
    says: 'product: image at most 10 MiB',
    within: [10 * 1024 * 1024],
    beyond: [10 * 1024 * 1024 + 1],
    pointer: '#/image/bytes',
    send: ({ key }, size: number) => ({ authorization: key, body: { image: imageOf(jpegOf(size)) } }),
  },
]

/** The limits for an endpoint that returns several faces. */
export const imageLimits: readonly Limit[] = [
  ...pictureLimits,
  {
    says: 'product: maxFaceCount 1 to 100, default 1',
    within: [1, 100, undefined, null],
    beyond: [0, 101, -1, 1.5, '1'],
    pointer: '#/maxFaceCount',
    send: ({ key }, maxFaceCount: unknown) => ({ authorization: key, body: { image, maxFaceCount } }),
  },
]

/** A complete JPEG that is `size` bytes long. The bytes after its end are not part of the picture. */
function jpegOf(size: number): Uint8Array {
  const jpeg = new Uint8Array(size)
  jpeg.set(fakeJpeg({ person: 'anna' }))
  return jpeg
}
