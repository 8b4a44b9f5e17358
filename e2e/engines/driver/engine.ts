/** A browser with a single window that is controlled through its remote protocol. */
export interface Engine {
  readonly name: EngineName
  readonly version: string
  /** True if it refuses the camera automatically, with its own error message, unless an actor replaces the camera. */
  readonly refusesCamera: boolean
  open(address: string): Promise<void>
  /** Runs a function in the page, or in the frame that was entered. The function can only use its arguments. */
  run<A extends readonly unknown[], T>(work: (...given: A) => T, ...given: A): Promise<T>
  /** Enters the frame with this index; null returns to the top-level page. */
  enter(frame: number | null): Promise<void>
  /** Sets the page size in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  /** A PNG screenshot. */
  picture(): Promise<Buffer>
  /** Adds a built-in virtual authenticator that always consents. Absent if the browser does not support passkeys. */
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

/** Sends a WebDriver command by the name that it has in the browser's protocol. */
export type Send = (command: string, parameters?: object) => Promise<unknown>

/** The names of commands in a protocol. */
export interface Words {
  readonly open: string
  readonly run: string
  readonly enter: string
  readonly picture: string
}

/** The parts that both WebDriver protocols share. */
export function drivenBy(send: Send, words: Words): Pick<Engine, 'open' | 'run' | 'enter' | 'picture'> {
  return {
    open: async (url) => void (await send(words.open, { url })),
    run: async (work, ...given) =>
      (await send(words.run, { script: `return (${work})(...arguments)`, args: given })) as never,
    enter: async (id) => void (await send(words.enter, { id })),
    picture: async () => Buffer.from((await send(words.picture, { full: false })) as string, 'base64'),
  }
}
