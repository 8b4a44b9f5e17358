/** A browser with one window, driven from outside by the protocol that it brings. */
export interface Engine {
  readonly name: EngineName
  readonly version: string
  /** Whether it refuses the camera by itself, in its own words, where nobody acts in its place. */
  readonly refusesCamera: boolean
  open(address: string): Promise<void>
  /** Runs a function in the page, or in the frame that was entered; it may use nothing but what it is given. */
  run<A extends readonly unknown[], T>(work: (...given: A) => T, ...given: A): Promise<T>
  /** What follows happens in the frame of this number; null for the page around it. */
  enter(frame: number | null): Promise<void>
  /** Makes the page so large, in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  /** A PNG of what is seen. */
  picture(): Promise<Buffer>
  /** Gives it a device for passkeys, built in, that its person always agrees to use; absent where it has no passkeys. */
  giveAuthenticator?(): Promise<Authenticator>
  quit(): Promise<void>
}

/** A device for passkeys that is no device. */
export interface Authenticator {
  /** How many passkeys it holds. */
  count(): Promise<number>
  remove(): Promise<void>
}

export const engineNames = ['firefox', 'webkit'] as const
export type EngineName = (typeof engineNames)[number]

/** Sends one command of WebDriver, by the name that the protocol of the browser has for it. */
export type Send = (command: string, parameters?: object) => Promise<unknown>

/** The words of a protocol for what an engine does. */
export interface Words {
  readonly open: string
  readonly run: string
  readonly enter: string
  readonly picture: string
}

/** What both protocols of WebDriver have in common. */
export function drivenBy(send: Send, words: Words): Pick<Engine, 'open' | 'run' | 'enter' | 'picture'> {
  return {
    open: async (url) => void (await send(words.open, { url })),
    run: async (work, ...given) =>
      (await send(words.run, { script: `return (${work})(...arguments)`, args: given })) as never,
    enter: async (id) => void (await send(words.enter, { id })),
    picture: async () => Buffer.from((await send(words.picture, { full: false })) as string, 'base64'),
  }
}
