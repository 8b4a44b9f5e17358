import type { PluralPhrase } from '#web/wording/wording.ts'
import type { en } from './en.ts'

/** A tree of phrases with the same shape as another one. Phrases that include a count have their language's plural forms. */
type SameShape<T> = T extends string
  ? string
  : T extends { readonly other: string; readonly one: string }
    ? PluralPhrase
    : { readonly [Key in keyof T]: SameShape<T[Key]> }

/** All the words in the console. Each language has its own file. `{name}` is a placeholder. */
export type ConsoleWording = SameShape<typeof en>
