/** A raw request. None of its parts have to be valid. */
export interface FuzzRequest {
  /** The catalogue name of the targeted endpoint. */
  readonly aim: string
  readonly method: string
  /** The path and query as sent. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
  /** `slow`: sent in pieces. `hang up`: the client disconnects halfway. `raw`: `body` is the entire message. */
  readonly manner: 'whole' | 'slow' | 'hang up' | 'raw'
  /** Describes the mutations. */
  readonly done: readonly string[]
  /** True if the method and path match the endpoint, so that the request reaches it. */
  readonly isExact: boolean
}

/** The response, or undefined if the connection ended without one. */
export interface FuzzAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}
