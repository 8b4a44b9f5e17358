import * as v from 'valibot'
import { text } from '../elements.ts'

/** What an admin may hand in: the server makes a picture of its own out of it. */
export const logoLimits = { bytes: 64 * 1024, side: 512 } as const

const pixels = v.pipe(v.number(), v.integer(), v.description('In pixels.'))

/** An account's logo, where the pages get it. */
export const logo = v.pipe(
  v.nullable(
    v.object({
      address: text('Its path on the host of the pages.'),
      width: pixels,
      height: pixels,
      ground: v.pipe(v.picklist(['light', 'dark', 'any']), v.description('What it stands out from.')),
    }),
  ),
  v.description('The logo of the pages, or null.'),
)

export type Logo = NonNullable<v.InferOutput<typeof logo>>
