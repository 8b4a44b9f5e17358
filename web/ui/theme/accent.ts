import { contrastOf } from './contrast.ts'
import { hexOf, linearOf, oklchOf, shownOf } from './oklch.ts'

const leastContrast = 4.5
const step = 0.01

/** The backgrounds that the accent appears on, as in style/tokens.css: page, card and inset. */
export const surfaces = {
  light: ['#f7f8fa', '#ffffff', '#eceff3'],
  dark: ['#0e1318', '#171e25', '#212a33'],
} as const

export type Scheme = keyof typeof surfaces

/**
 * [Note: Readable accent] Adapts the account's colour to a colour scheme. The hue stays the same, but it becomes darker on light
 * surfaces and lighter on dark ones, by the minimum that WCAG 2.2 AA requires. It is used for text and borders;
 * buttons are filled with the original colour and get a border in this one.
 */
export function readableAccent(colour: string, scheme: Scheme): string {
  const { lightness, ...rest } = oklchOf(linearOf(colour))
  const towards = scheme === 'light' ? -step : step
  for (let tried = lightness; tried > 0 && tried < 1; tried += towards) {
    const shown = tried === lightness ? colour : hexOf(shownOf({ lightness: tried, ...rest }))
    if (isReadable(shown, scheme)) return shown
  }
  return scheme === 'light' ? '#000000' : '#ffffff'
}

/**
 * The text colour for the account's original colour: black or white, whichever has more contrast. For any colour, that is
 * at least 4.58.
 */
export function labelOn(colour: string): '#000000' | '#ffffff' {
  return contrastOf(colour, '#000000') >= contrastOf(colour, '#ffffff') ? '#000000' : '#ffffff'
}

function isReadable(colour: string, scheme: Scheme): boolean {
  return surfaces[scheme].every((surface) => contrastOf(colour, surface) >= leastContrast)
}
