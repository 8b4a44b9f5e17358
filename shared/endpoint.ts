import type { GenericSchema, InferInput, InferOutput } from 'valibot'

/**
 * How a caller proves who they are.
 * `none`: nobody; `key`: API key only; `key-or-bearer`: API key or access token; `session`: session token only;
 * `kiosk`: token of a kiosk only; `console`: cookie of somebody who is signed in to the console.
 */
export type Auth = 'none' | 'key' | 'key-or-bearer' | 'session' | 'kiosk' | 'console'

/** What a key or a bearer may do. `analyse` is what a browser should get; `review` says what people decided. */
export const scopes = ['admin', 'configure', 'analyse', 'tokens', 'review'] as const
export type Scope = (typeof scopes)[number]

export interface Endpoint<
  Query extends GenericSchema | undefined = GenericSchema | undefined,
  Body extends GenericSchema | undefined = GenericSchema | undefined,
  Result extends GenericSchema = GenericSchema,
  A extends Auth = Auth,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The whole path from the host's root, such as `/v1/token/get`. */
  readonly path: string
  readonly auth: A
  /** The scope that the credential must carry; absent where `auth` is `none`, `session`, `kiosk` or `console`. */
  readonly scope?: Scope
  readonly query: Query
  readonly body: Body
  readonly result: Result
  /** The statuses other than 200 that the endpoint declares. */
  readonly errors: readonly number[]
  readonly summary: string
  readonly bodyLimitInBytes: number
  /** The body may also come as a form (`application/x-www-form-urlencoded`) of the same members, each a text and once. */
  readonly takesForm?: boolean
  /**
   * `Accept: text/plain` and `text/json` get the JSON text under that type; a result that is a string comes without its
   * quotes as `text/plain`.
   */
  readonly textVariant?: boolean
  /** The result is a string, and always travels as plain text without quotes. */
  readonly plainText?: boolean
  /**
   * Members of the result that are told once: a repeat under an `Idempotency-Key` lacks them, and says
   * `secretShownOnce: true`.
   */
  readonly redactedOnReplay?: readonly string[]
  /**
   * True where the interface document, or a standard, says what the endpoint takes: names that it does not know are ignored.
   * [Note: Ours] Every other endpoint refuses them with a 400, `unknown_name`, in its query and its body.
   */
  readonly ignoresUnknownNames?: boolean
  /** More than the summary: rules, cross-field conditions, what happens on repetition. For the API document. */
  readonly description?: string
  /** A request that a reader may send with small changes: for the document's curl example and for its tests. */
  readonly example?: { readonly query?: unknown; readonly body?: unknown }
}

interface Definition<Q, B, R, A> {
  method: Endpoint['method']
  path: string
  auth: A
  scope?: Scope
  query?: Q
  body?: B
  result: R
  errors: readonly number[]
  summary: string
  bodyLimitInBytes?: number
  takesForm?: boolean
  textVariant?: boolean
  plainText?: boolean
  redactedOnReplay?: readonly string[]
  ignoresUnknownNames?: boolean
  description?: string
  example?: { query?: Sent<Q>; body?: Sent<B> }
}

const defaultBodyLimitInBytes = 16 * 1024 * 1024

/** [Note: Strangers send little] What who has no credential, or only that of one link, may send where nothing else is said. */
export const smallBodyInBytes = 64 * 1024

/** Defines an endpoint once. Validation, the handler's type, the client and the API document are made from it. */
export function endpoint<
  R extends GenericSchema,
  A extends Auth,
  Q extends GenericSchema | undefined = undefined,
  B extends GenericSchema | undefined = undefined,
>(definition: Definition<Q, B, R, A>): Endpoint<Q, B, R, A> {
  return {
    bodyLimitInBytes: ['none', 'session'].includes(definition.auth)
      ? smallBodyInBytes
      : defaultBodyLimitInBytes,
    ...definition,
    errors: errorsOf(definition),
    query: definition.query as Q,
    body: definition.body as B,
  }
}

/** Whoever refuses names answers 400, also where there is nothing else to be wrong. */
function errorsOf({
  errors,
  ignoresUnknownNames = false,
}: Pick<Endpoint, 'errors' | 'ignoresUnknownNames'>): readonly number[] {
  return ignoresUnknownNames || errors.includes(400) ? errors : [400, ...errors]
}

type Parsed<S> = S extends GenericSchema ? InferOutput<S> : undefined
type Sent<S> = S extends GenericSchema ? InferInput<S> : undefined

export type QueryOf<E extends Endpoint> = Parsed<E['query']>
export type BodyOf<E extends Endpoint> = Parsed<E['body']>
export type ResultOf<E extends Endpoint> = InferInput<E['result']>

/** What a client passes: `query` and `body` exactly where the endpoint has them. */
export type Arguments<E extends Endpoint> = (E['query'] extends GenericSchema
  ? { query: Sent<E['query']> }
  : { query?: undefined }) &
  (E['body'] extends GenericSchema ? { body: Sent<E['body']> } : { body?: undefined })

/** Serves one endpoint. `Caller` is the server's word for who asks; a missing handler does not compile. */
export type Handler<E extends Endpoint, Caller> = (request: {
  query: QueryOf<E>
  body: BodyOf<E>
  caller: Caller
}) => Promise<ResultOf<E>>
