import { unlessRefused } from '#web/ui/unless-refused.ts'

/** What a viewer chose for this browser. */
export const themes = ['auto', 'light', 'dark'] as const
export type ThemeChoice = (typeof themes)[number]

export interface Preferences {
  readonly theme: ThemeChoice
  /** A language, or null for the browser's own. */
  readonly language: string | null
  /** Whether single keys do something: who speaks to the machine switches them off. */
  readonly hasShortcuts: boolean
}

const place = 'console'

/** Reads what was chosen; a browser that keeps nothing has nothing chosen. */
export function readPreferences(storage: Pick<Storage, 'getItem'>): Preferences {
  const stored = unlessRefused(
    () => JSON.parse(storage.getItem(place) ?? '{}') as Partial<Preferences> | null,
  )
  const { theme, language, hasShortcuts } = stored ?? {}
  return {
    theme: themes.find((one) => one === theme) ?? 'auto',
    language: typeof language === 'string' ? language : null,
    hasShortcuts: hasShortcuts !== false,
  }
}

/** Keeps what was chosen, where the browser keeps anything. */
export function writePreferences(storage: Pick<Storage, 'setItem'>, chosen: Preferences): void {
  unlessRefused(() => storage.setItem(place, JSON.stringify(chosen)))
}

/** Gives the document the theme that was chosen. */
export function paintTheme(document: Document, theme: ThemeChoice): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
