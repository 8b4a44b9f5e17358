/** A request as it goes on the wire; nothing about it needs to be right. */
export interface FuzzRequest {
  /** The endpoint that it is aimed at, by its name in the catalogue. */
  readonly aim: string
  readonly method: string
  /** Path and query, as they are sent. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
  /** `slow`: in pieces; `hang up`: the client leaves half-way; `raw`: `body` is the whole message. */
  readonly manner: 'whole' | 'slow' | 'hang up' | 'raw'
  /** What was done to it, in words. */
  readonly done: readonly string[]
  /** Whether it reaches its endpoint: method and path are the endpoint's own. */
  readonly isExact: boolean
}

/** What came back; undefined where the connection ended without an answer. */
export interface FuzzAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}
