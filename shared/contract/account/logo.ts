import * as v from 'valibot'
import { text } from '../elements.ts'

/** What an admin may hand in: the server makes a picture of its own out of it. */
export const logoLimits = { bytes: 64 * 1024, side: 512 } as const

const pixels = v.pipe(v.number(), v.integer(), v.description('In pixels.'))

/** What a logo stands out from. */
export const logoGrounds = ['light', 'dark', 'any'] as const

/** A logo, where the pages get it. */
export const logoDetail = v.object({
  address: text('Its path on the host of the pages.'),
  width: pixels,
  height: pixels,
  ground: v.pipe(v.picklist(logoGrounds), v.description('What it stands out from.')),
})

/** The logo of an account, where it has one. */
export const logo = v.pipe(v.nullable(logoDetail), v.description('The logo of the pages, or null.'))

export type Logo = NonNullable<v.InferOutput<typeof logo>>
