import { readableAccent } from './accent.ts'

/** Gives the page the account's colour (`#rrggbb`), or that of the house: by script, as no style stands in the document. */
export function paintAccent(root: HTMLElement, colour: string | null): void {
  for (const scheme of ['light', 'dark'] as const) {
    const property = `--account-on-${scheme}`
    if (colour === null) root.style.removeProperty(property)
    else root.style.setProperty(property, readableAccent(colour, scheme))
  }
}
