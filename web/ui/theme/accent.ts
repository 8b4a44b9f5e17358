import { contrastOf } from './contrast.ts'
import { hexOf, linearOf, oklchOf, shownOf } from './oklch.ts'

const leastContrast = 4.5
const step = 0.01

/** What the accent stands on, as in style/tokens.css: the page, a card, a hollow. */
export const surfaces = {
  light: ['#f7f8fa', '#ffffff', '#eceff3'],
  dark: ['#0e1318', '#171e25', '#212a33'],
} as const

export type Scheme = keyof typeof surfaces

/**
 * [Note: Readable accent] The account's colour, as it can be read in a scheme: the same hue, darker on light
 * surfaces and lighter on dark ones, by as little as WCAG 2.2 AA asks for. A label upon it can then stay white
 * on the one and black on the other.
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

function isReadable(colour: string, scheme: Scheme): boolean {
  return surfaces[scheme].every((surface) => contrastOf(colour, surface) >= leastContrast)
}
