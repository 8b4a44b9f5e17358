import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { Consequence } from './consequences.ts'
import type { LeftBehindKind } from './left-behind.ts'
import type { Permission } from './operator-roles.ts'

/**
 * How a caller authenticates.
 * `none`: not at all; `key`: API key only; `key-or-bearer`: API key or access token; `session`: session token only;
 * `kiosk`: kiosk token only; `console`: session cookie of an operator who is signed in to the console.
 */
export type Auth = 'none' | 'key' | 'key-or-bearer' | 'session' | 'kiosk' | 'console'

/**
 * Rights of a key or a bearer. `people` allows collections, faces and persons. `analyse` is for browsers. `review` records an operator's decisions.
 */
export const scopes = ['admin', 'configure', 'people', 'analyse', 'tokens', 'review'] as const
export type Scope = (typeof scopes)[number]

/** True if a holder of some scopes may grant another one: `configure` has always included `people`. */
export function mayGrant(held: readonly Scope[], scope: Scope): boolean {
  return held.includes(scope) || (scope === 'people' && held.includes('configure'))
}

/** Per-minute limit that a call counts against. The first three names appear on the wire. */
export type RateClass = 'analyses' | 'requests' | 'inits' | 'uncounted'

/** Repeatability under an `Idempotency-Key`. `redactedOnReplay` lists members that a repeated result lacks. */
export type Idempotency = 'none' | 'replayed' | { readonly redactedOnReplay: readonly string[] }

/**
 * Consequences that owners are notified of: none, those that the handler finds, a fixed one, or a fixed one if a certain member is sent.
 * [Note: Step-up by consequence]
 */
export type LeadsTo =
  | 'nothing'
  | 'found'
  | Consequence
  | { readonly consequence: Consequence; readonly ifSent: string }

/** `role` if role and scope alone grant access; `content` if the request matters too. Then its permit is checked even before a repeat is answered. */
export type PermittedBy = 'role' | 'content'

/** Properties of an endpoint other than its requests and results. */
interface Policy {
  readonly rate: RateClass
  /** The member of the body that holds a picture. If it is present, the call also counts as an analysis. [Note: Whatever is looked at is an analysis] */
  readonly analysed?: string
  /** Traces that a call without a credential may leave in the store; `nothing` for endpoints that need one. */
  readonly leaves: LeftBehindKind
  /** [Note: What is recorded] `recorded` if each call adds an entry to the audit log. */
  readonly audit: 'recorded' | 'unrecorded'
  readonly idempotency: Idempotency
  readonly leadsTo: LeadsTo
  /** Set if the call erases a person: neither its audit entry nor the answer stored for repeats may name them. */
  readonly erases?: 'person'
  /** Permission that console users need; absent if neither an account's credential nor a sign-in grants access. [Note: Keys have scopes, people have roles] */
  readonly console?: Permission
}

export interface Endpoint<
  Query extends GenericSchema | undefined = GenericSchema | undefined,
  Body extends GenericSchema | undefined = GenericSchema | undefined,
  Result extends GenericSchema = GenericSchema,
  A extends Auth = Auth,
  InClient extends boolean = boolean,
  By extends PermittedBy = PermittedBy,
> extends Policy {
  readonly method: Method
  /** The full path from the root of the host, such as `/v1/token/get`. */
  readonly path: string
  readonly auth: A
  /** The required scope, or several of which one suffices; absent if any credential will do or the endpoint takes no account's credential. */
  readonly scope?: Scope | readonly Scope[] | undefined
  readonly query: Query
  readonly body: Body
  readonly result: Result
  /** The statuses other than 200 that the endpoint declares. */
  readonly errors: readonly number[]
  readonly summary: string
  readonly bodyLimitInBytes: number
  /** True if the published client includes it: the client has the calls that integrators and their pages make. */
  readonly inClient: InClient
  readonly permittedBy: By
  /** True if the body may also be a form (`application/x-www-form-urlencoded`) with the same members, each a text that occurs once. */
  readonly takesForm?: boolean
  /**
   * True if the body may also come as `multipart/form-data`: a part is named by the path of a member (`step`, `frames[0].bytes`), and holds a picture
   * as its bytes, anything else as JSON.
   */
  readonly takesMultipart?: boolean
  /** The status of a success if it is not 200. */
  readonly answersWith?: 202
  /**
   * `Accept: text/plain` and `text/json` get the JSON text under that type; a result that is a string comes without its
   * quotes as `text/plain`.
   */
  readonly textVariant?: boolean
  /** The result is a string and is always sent as plain text without quotes. */
  readonly plainText?: boolean
  /**
   * True if the interface document or a standard defines the input: unknown names are ignored.
   * [Note: Ours] Every other endpoint rejects unknown names in its query and body with a 400, `unknown_name`.
   */
  readonly ignoresUnknownNames?: boolean
  /** Details beyond the summary for the API document: rules, cross-field conditions, effects of repetition. */
  readonly description?: string
  /** A request that readers can send with small changes, and a possible answer; used by the document, its curl example and its tests. */
  readonly example?: { readonly query?: unknown; readonly body?: unknown; readonly answer?: unknown }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Definition<Q, B, R, A, M, C, By> {
  method: M
  path: string
  auth: A
  query?: Q
  body?: B
  result: R
  errors: readonly number[]
  summary: string
  bodyLimitInBytes?: number
  inClient?: C
  permittedBy?: By
  takesForm?: boolean
  takesMultipart?: boolean
  answersWith?: 202
  textVariant?: boolean
  plainText?: boolean
  ignoresUnknownNames?: boolean
  description?: string
  example?: {
    query?: SentValue<Q>
    body?: SentValue<B>
    answer?: R extends GenericSchema ? InferOutput<R> : never
  }
}

type ForKeys = 'key' | 'key-or-bearer'

/**
 * Required properties of an endpoint, by who may call it and whether it only reads. [Note: No policy by omission] Only properties with a safe default
 * are optional: a reading endpoint is not recorded, not repeated under a key, and leads to nothing.
 */
type PolicyFor<A, M> = (A extends ForKeys
  ? { scope: Scope | readonly Scope[] | undefined; console: Permission } & OfKeys<M>
  : { scope?: never; idempotency?: never; leadsTo?: never; permittedBy?: never; erases?: never }) &
  (A extends 'console'
    ? { console: Permission } & OfWrites<M, { rate: 'requests' | 'inits' } & AuditPolicy>
    : unknown) &
  (A extends 'none'
    ? { rate: 'inits' | 'requests' | 'uncounted'; inClient: boolean } & OfWrites<
        M,
        AuditPolicy & Pick<Policy, 'leaves'>
      >
    : { inClient?: never; leaves?: never }) &
  (A extends 'session' | 'kiosk' ? OfWrites<M, AuditPolicy> : unknown)

type AuditPolicy = Pick<Policy, 'audit'>
type OfWrites<M, P> = M extends 'GET' ? Partial<P> : P
type OfKeys<M> = { erases?: 'person'; analysed?: string } & OfWrites<
  M,
  {
    rate: 'analyses' | 'requests'
    idempotency: Idempotency
    leadsTo: LeadsTo
    permittedBy: PermittedBy
  } & AuditPolicy
>

/** Scopes of which the credential needs one; empty if any credential will do. */
export function scopesFor({ scope }: Pick<Endpoint, 'scope'>): readonly Scope[] {
  if (scope === undefined) return []
  return typeof scope === 'string' ? [scope] : scope
}

/** True for calls of integrators and their pages. Calls with credentials of a kiosk or the console are left out. */
type InClient<A, C> = A extends 'none' ? C : A extends 'kiosk' | 'console' ? false : true

const defaultBodyLimitInBytes = 16 * 1024 * 1024

/** [Note: Strangers send little] Default limit for callers without a credential, or with only that of one link. */
export const smallBodyInBytes = 64 * 1024

/** Defines an endpoint once, for validation, the handler's type, the client, the API document and the server's policies. */
export function endpoint<
  R extends GenericSchema,
  A extends Auth,
  M extends Method,
  Q extends GenericSchema | undefined = undefined,
  B extends GenericSchema | undefined = undefined,
  C extends boolean = false,
  By extends PermittedBy = 'role',
>(definition: Definition<Q, B, R, A, M, C, By> & PolicyFor<A, M>): Endpoint<Q, B, R, A, InClient<A, C>, By> {
  const { auth } = definition
  const isCounted = auth === 'key' || auth === 'key-or-bearer' || auth === 'console'
  return {
    bodyLimitInBytes: auth === 'none' || auth === 'session' ? smallBodyInBytes : defaultBodyLimitInBytes,
    rate: isCounted ? 'requests' : 'uncounted',
    leaves: 'nothing',
    audit: 'unrecorded',
    idempotency: 'none',
    leadsTo: 'nothing',
    permittedBy: 'role' as By,
    ...definition,
    inClient: (definition.inClient ?? (auth !== 'kiosk' && auth !== 'console')) as InClient<A, C>,
    errors: errorsOf(definition),
    query: definition.query as Q,
    body: definition.body as B,
  }
}

/** An endpoint that rejects unknown names answers 400 even if no other input can be invalid. */
function errorsOf({
  errors,
  ignoresUnknownNames = false,
}: Pick<Endpoint, 'errors' | 'ignoresUnknownNames'>): readonly number[] {
  return ignoresUnknownNames || errors.includes(400) ? errors : [400, ...errors]
}

type ParsedValue<S> = S extends GenericSchema ? InferOutput<S> : undefined
type SentValue<S> = S extends GenericSchema ? InferInput<S> : undefined

export type QueryOf<E extends Endpoint> = ParsedValue<E['query']>
export type BodyOf<E extends Endpoint> = ParsedValue<E['body']>
export type ResultOf<E extends Endpoint> = InferInput<E['result']>

/** Arguments of a client call: `query` and `body` exactly if the endpoint has them. */
export type Arguments<E extends Endpoint> = (E['query'] extends GenericSchema
  ? { query: SentValue<E['query']> }
  : { query?: undefined }) &
  (E['body'] extends GenericSchema ? { body: SentValue<E['body']> } : { body?: undefined })

/** Serves one endpoint. `Caller` is the server's type for the caller; a missing handler does not compile. */
export type Handler<E extends Endpoint, Caller> = (request: {
  query: QueryOf<E>
  body: BodyOf<E>
  caller: Caller
}) => Promise<ResultOf<E>>
