import type { Plural } from '#web/wording/wording.ts'
import type { en } from './en.ts'

/** A tree of phrases like another one; what is counted has the plural forms of its language. */
type Like<T> = T extends string
  ? string
  : T extends { readonly other: string; readonly one: string }
    ? Plural
    : { readonly [Key in keyof T]: Like<T[Key]> }

/** Every word of the console, a file of its own for each language. `{name}` is a place that is filled. */
export type ConsoleWording = Like<typeof en>
