import * as v from 'valibot'
import type { Problem } from '../../problem.ts'
import { logo } from '../account/logo.ts'
import { nullableText, text } from '../elements.ts'

/** Fonts that every device has in some form. [Note: Ours] */
export const themeFonts = ['system', 'serif', 'rounded', 'monospace'] as const
export const themeModes = ['light', 'dark', 'auto'] as const

export const theme = v.pipe(
  v.object({
    accountName: text('Whom the visitor is checked for.'),
    accentColour: nullableText('`#rrggbb`, or null for the house colour.'),
    logo,
    region: text('The region that the pictures are sent to.'),
    /** [Note: Ours] */
    supportUrl: v.optional(text('Where the visitor finds help; absent where nobody said.')),
    /** [Note: Ours] */
    radius: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.description('How round corners are, in pixels; absent for the house’s own.'),
      ),
    ),
    /** [Note: Ours] */
    font: v.optional(v.pipe(v.picklist(themeFonts), v.description('The font; absent for the house’s own.'))),
    /** [Note: Ours] */
    mode: v.optional(
      v.pipe(v.picklist(themeModes), v.description('Light, dark, or as the device is; absent for that.')),
    ),
  }),
  v.description('How the page looks.'),
)
export type Theme = v.InferOutput<typeof theme>

/** How whoever sent a link appears that does not open: with the problem, where that is known. */
export function senderOf({ members }: Pick<Problem, 'members'>): Theme | undefined {
  return members.theme as Theme | undefined
}
