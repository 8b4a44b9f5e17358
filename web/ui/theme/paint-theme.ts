import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { paintAccent } from './paint-accent.ts'

/** How an account wants its pages to look; of what it leaves out the house's own. */
export type Theme = Pick<CapturePlan['theme'], 'accentColour' | 'radius' | 'font' | 'mode'>

/** Gives the page an account's colour, corners, font and mode, or those of the house. Styles read them (style/tokens.css). */
export function paintTheme(root: HTMLElement, theme: Theme | null): void {
  const { accentColour = null, radius, font, mode } = theme ?? {}
  paintAccent(root, accentColour)
  if (radius === undefined) root.style.removeProperty('--account-radius')
  else root.style.setProperty('--account-radius', `${radius}px`)
  setOrRemove(root, 'data-font', font)
  setOrRemove(root, 'data-mode', mode === 'auto' ? undefined : mode)
}

function setOrRemove(root: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) root.removeAttribute(name)
  else root.setAttribute(name, value)
}
