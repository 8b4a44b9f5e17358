import * as v from 'valibot'
import { text } from '../elements.ts'

/** The limits for an uploaded logo, which the server re-encodes. */
export const logoLimits = { bytes: 64 * 1024, side: 512 } as const

const pixels = v.pipe(v.number(), v.integer(), v.description('In pixels.'))

/** The backgrounds on which a logo is visible. */
export const logoGrounds = ['light', 'dark', 'any'] as const

/** A logo and the path from which the pages load it. */
export const logoDetail = v.object({
  address: text('Path on the host of the pages.'),
  width: pixels,
  height: pixels,
  ground: v.pipe(v.picklist(logoGrounds), v.description('Background on which the logo is visible.')),
})

/** An account's logo, or null. */
export const logo = v.pipe(v.nullable(logoDetail), v.description('The logo of the pages, or null.'))

export type Logo = NonNullable<v.InferOutput<typeof logo>>
