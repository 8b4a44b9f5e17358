import { useLayoutEffect } from 'preact/hooks'
import type { Wording } from '#web/wording/wording.ts'
import { paintTheme, type Theme } from './theme/paint-theme.ts'

/** Sets language, direction and theme on the document. */
export function useDressedDocument({ locale, direction }: Wording, theme: Theme | null): void {
  // Before the first frame; otherwise the page would briefly show the wrong direction and the default theme.
  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = direction
  }, [locale, direction])
  useLayoutEffect(() => paintTheme(document.documentElement, theme), [theme])
}
