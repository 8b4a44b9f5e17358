import { unlessRefused } from '#web/ui/unless-refused.ts'

/** Display preferences stored in this browser. */
export const themes = ['auto', 'light', 'dark'] as const
export type ThemeChoice = (typeof themes)[number]

export interface Preferences {
  readonly theme: ThemeChoice
  /** A language, or null to use the browser's. */
  readonly language: string | null
  /** False disables single-key shortcuts, for people who use speech input. */
  readonly hasShortcuts: boolean
}

const place = 'console'

/** Reads the preferences. Falls back to defaults if the browser has stored nothing. */
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

/** Stores the preferences, if the browser allows it. */
export function writePreferences(storage: Pick<Storage, 'setItem'>, chosen: Preferences): void {
  unlessRefused(() => storage.setItem(place, JSON.stringify(chosen)))
}

/** Applies the chosen theme to the document. */
export function paintTheme(document: Document, theme: ThemeChoice): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
