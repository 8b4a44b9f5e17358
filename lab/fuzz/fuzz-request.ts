/** A request in its raw form; no part of it has to be valid. */
export interface FuzzRequest {
  /** The name of the targeted endpoint in the catalogue. */
  readonly aim: string
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
  /** `slow`: in pieces; `hang up`: the client disconnects halfway; `raw`: `body` is the whole message. */
  readonly manner: 'whole' | 'slow' | 'hang up' | 'raw'
  /** Descriptions of the mutations. */
  readonly done: readonly string[]
  /** True if method and path are those of the endpoint, so that the request reaches it. */
  readonly isExact: boolean
}

/** The response; undefined if the connection ended without one. */
export interface FuzzAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}
