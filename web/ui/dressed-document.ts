import { useLayoutEffect } from 'preact/hooks'
import type { Wording } from '#web/wording/wording.ts'
import { paintTheme, type Theme } from './theme/paint-theme.ts'

/** Sets the document's language, direction and theme. */
export function useDressedDocument({ locale, direction }: Wording, theme: Theme | null): void {
  // Runs before the first frame. Otherwise, the page would briefly show the wrong direction and the default theme.
  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = direction
  }, [locale, direction])
  useLayoutEffect(() => paintTheme(document.documentElement, theme), [theme])
}
