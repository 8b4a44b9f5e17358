import type { en } from './en.ts'

/** All the words in the playground. Each language has its own file. `{name}` is a placeholder. */
export type PlaygroundWording = { readonly [Key in keyof typeof en]: string } & {
  readonly direction: 'ltr' | 'rtl'
}
