import { useLayoutEffect } from 'preact/hooks'
import type { Wording } from '#web/wording/wording.ts'
import { paintAccent } from './theme/paint-accent.ts'

/** Gives the document the language and the direction of its words, and the account's colour. */
export function useDressedDocument({ locale, direction }: Wording, colour: string | null): void {
  // Before the first frame: else the page would be seen from left to right, and in the colour of the house.
  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = direction
  }, [locale, direction])
  useLayoutEffect(() => paintAccent(document.documentElement, colour), [colour])
}
