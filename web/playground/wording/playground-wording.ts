import type { en } from './en.ts'

/** Every word of the playground, a file of its own for each language. `{name}` is a place that is filled. */
export type PlaygroundWording = { readonly [Key in keyof typeof en]: string } & {
  readonly direction: 'ltr' | 'rtl'
}
