import { labelOn, readableAccent } from './accent.ts'

/** Applies the account's accent colour (`#rrggbb`) or the default. This takes a script, because the document forbids inline styles. */
export function paintAccent(root: HTMLElement, colour: string | null): void {
  const painted = {
    '--account-on-light': colour && readableAccent(colour, 'light'),
    '--account-on-dark': colour && readableAccent(colour, 'dark'),
    '--account-fill': colour,
    '--account-fill-label': colour && labelOn(colour),
  }
  for (const [property, value] of Object.entries(painted)) {
    if (value === null) root.style.removeProperty(property)
    else root.style.setProperty(property, value)
  }
}
