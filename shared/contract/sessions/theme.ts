import * as v from 'valibot'
import type { Problem } from '../../problem.ts'
import { nullableText, text } from '../elements.ts'
import { logo } from './logo.ts'

/** Fonts that every device has in one form or another. [Note: Ours] */
export const themeFonts = ['system', 'serif', 'rounded', 'monospace'] as const
export const themeModes = ['light', 'dark', 'auto'] as const

export const theme = v.pipe(
  v.object({
    accountName: text('Name of the party that checks the visitor.'),
    accentColour: nullableText('`#rrggbb`, or null for the default.'),
    logo,
    region: text('The region to which the pictures are sent.'),
    /** [Note: Ours] */
    supportUrl: v.optional(text('Address of help for visitors; absent if there is none.')),
    /** [Note: Ours] */
    radius: v.optional(
      v.pipe(v.number(), v.integer(), v.description('Corner radius in pixels; absent for the default.')),
    ),
    /** [Note: Ours] */
    font: v.optional(v.pipe(v.picklist(themeFonts), v.description('The font; absent for the default.'))),
    /** [Note: Ours] */
    mode: v.optional(
      v.pipe(
        v.picklist(themeModes),
        v.description('Light or dark, or as the device prefers, which is the default.'),
      ),
    ),
  }),
  v.description('Appearance of the page.'),
)
export type Theme = v.InferOutput<typeof theme>

/** The theme of whoever sent a link that cannot be opened, if the problem includes it. */
export function senderOf({ members }: Pick<Problem, 'members'>): Theme | undefined {
  return members.theme as Theme | undefined
}
