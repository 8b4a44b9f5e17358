import * as v from 'valibot'
import { text } from './common.ts'

/** What an admin may hand in: the server makes a picture of its own out of it. */
export const logoLimits = { bytes: 64 * 1024, side: 512 } as const

const pixels = (meaning: string) => v.pipe(v.number(), v.integer(), v.description(meaning))

/** An account's logo, where the pages get it. */
export const logo = v.pipe(
  v.nullable(
    v.object({
      address: text('Where the picture is, on the host of the pages.'),
      width: pixels('The width of the picture.'),
      height: pixels('The height of the picture.'),
      ground: v.pipe(
        v.picklist(['light', 'dark', 'any']),
        v.description('What it stands out from; on anything else the pages put it on a plate.'),
      ),
    }),
  ),
  v.description('The logo that the pages show in place of the name, or null.'),
)

export type Logo = NonNullable<v.InferOutput<typeof logo>>
