import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { paintAccent } from './paint-accent.ts'

/** The appearance that an account has chosen. Missing members fall back to the default. */
export type Theme = Pick<CapturePlan['theme'], 'accentColour' | 'radius' | 'font' | 'mode'>

/** Applies an account's colour, corners, font and mode to the page, or the defaults. Style sheets read them (style/tokens.css). */
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
