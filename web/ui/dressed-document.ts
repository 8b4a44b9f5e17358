import { useLayoutEffect } from 'preact/hooks'
import type { Wording } from '#web/wording/wording.ts'
import { paintTheme, type Theme } from './theme/paint-theme.ts'

/** Gives the document the language and the direction of its words, and the account's looks. */
export function useDressedDocument({ locale, direction }: Wording, theme: Theme | null): void {
  // Before the first frame: else the page would be seen from left to right, and in the looks of the house.
  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = direction
  }, [locale, direction])
  useLayoutEffect(() => paintTheme(document.documentElement, theme), [theme])
}
