/** A browser with one window, controlled by its remote protocol. */
export interface Engine {
  readonly name: EngineName
  readonly version: string
  /** True if it refuses the camera automatically, with its own error message, when no actor replaces it. */
  readonly refusesCamera: boolean
  open(address: string): Promise<void>
  /** Runs a function in the page or the entered frame. The function may only use its arguments. */
  run<A extends readonly unknown[], T>(work: (...given: A) => T, ...given: A): Promise<T>
  /** Enters the frame with this index; null returns to the top-level page. */
  enter(frame: number | null): Promise<void>
  /** Sets the size of the page in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  /** A PNG screenshot. */
  picture(): Promise<Buffer>
  /** Adds a built-in virtual authenticator that always consents; absent if the browser has no passkeys. */
  giveAuthenticator?(): Promise<Authenticator>
  quit(): Promise<void>
}

/** A virtual authenticator. */
export interface Authenticator {
  /** Number of stored passkeys. */
  count(): Promise<number>
  remove(): Promise<void>
}

export const engineNames = ['firefox', 'webkit'] as const
export type EngineName = (typeof engineNames)[number]

/** Sends a WebDriver command by its name in the browser's protocol. */
export type Send = (command: string, parameters?: object) => Promise<unknown>

/** Names of commands in a protocol. */
export interface Words {
  readonly open: string
  readonly run: string
  readonly enter: string
  readonly picture: string
}

/** Parts that both WebDriver protocols share. */
export function drivenBy(send: Send, words: Words): Pick<Engine, 'open' | 'run' | 'enter' | 'picture'> {
  return {
    open: async (url) => void (await send(words.open, { url })),
    run: async (work, ...given) =>
      (await send(words.run, { script: `return (${work})(...arguments)`, args: given })) as never,
    enter: async (id) => void (await send(words.enter, { id })),
    picture: async () => Buffer.from((await send(words.picture, { full: false })) as string, 'base64'),
  }
}
