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
 * surfaces and lighter on dark ones, by as little as WCAG 2.2 AA asks for. It is what words and edges are drawn in;
 * a button is filled with the colour itself, and has that edge.
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
 * What stands upon the account's colour as it is: black or white, whichever is the plainer. Of any colour one of them has a contrast
 * of 4.58 or more.
 */
export function labelOn(colour: string): '#000000' | '#ffffff' {
  return contrastOf(colour, '#000000') >= contrastOf(colour, '#ffffff') ? '#000000' : '#ffffff'
}

function isReadable(colour: string, scheme: Scheme): boolean {
  return surfaces[scheme].every((surface) => contrastOf(colour, surface) >= leastContrast)
}
