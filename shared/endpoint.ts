import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { Consequence } from './contract/console/consequences.ts'
import type { Permission } from './contract/console/operator-roles.ts'
import type { LeftBehindKind } from './contract/left-behind.ts'

/**
 * How a caller proves who they are.
 * `none`: nobody; `key`: API key only; `key-or-bearer`: API key or access token; `session`: session token only;
 * `kiosk`: token of a kiosk only; `console`: cookie of somebody who is signed in to the console.
 */
export type Auth = 'none' | 'key' | 'key-or-bearer' | 'session' | 'kiosk' | 'console'

/**
 * Rights of a key or a bearer. `people` allows collections, faces and persons. `analyse` is for browsers. `review` records the decisions of people.
 */
export const scopes = ['admin', 'configure', 'people', 'analyse', 'tokens', 'review'] as const
export type Scope = (typeof scopes)[number]

/** True if a holder of some scopes may pass on another one: `configure` has always allowed what `people` allows. */
export function mayGrant(held: readonly Scope[], scope: Scope): boolean {
  return held.includes(scope) || (scope === 'people' && held.includes('configure'))
}

/** The limit of a minute that a call counts against; the first three are its names on the wire. */
export type RateClass = 'analyses' | 'requests' | 'inits' | 'uncounted'

/** Whether it may be repeated under an `Idempotency-Key`, and which members of its result a repeat lacks. */
export type Idempotency = 'none' | 'replayed' | { readonly redactedOnReplay: readonly string[] }

/**
 * What a call leads to that owners are notified of: `nothing`; what its handler finds; always the same; or the same where a member is sent.
 * [Note: Step-up by consequence]
 */
export type LeadsTo =
  | 'nothing'
  | 'found'
  | Consequence
  | { readonly consequence: Consequence; readonly ifSent: string }

/** Whether role and scope alone say who may call, or what is sent, too: then its permit is asked, also before a repeat is answered. */
export type PermittedBy = 'role' | 'content'

/** What is true of an endpoint besides its requests and results. */
interface Policy {
  readonly rate: RateClass
  /** The member of the body that is a picture: where it is sent, the call counts as an analysis besides. [Note: Whatever is looked at is an analysis] */
  readonly analysed?: string
  /** The traces that a call without a credential may leave in the store; `nothing` for endpoints that need one. */
  readonly leaves: LeftBehindKind
  /** [Note: What is recorded] Whether the audit log gets an entry for each call. */
  readonly audit: 'recorded' | 'unrecorded'
  readonly idempotency: Idempotency
  readonly leadsTo: LeadsTo
  /** It erases a person: neither its entry in the audit log nor the answer that is kept for a repeat names them anew. */
  readonly erases?: 'person'
  /** Who may call it in the console; absent for what no account's credential and no sign-in opens. [Note: Keys have scopes, people have roles] */
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
  /** The whole path from the host's root, such as `/v1/token/get`. */
  readonly path: string
  readonly auth: A
  /** The scope that the credential must carry, or several of which one suffices; absent if any credential will do, or none of an account is taken. */
  readonly scope?: Scope | readonly Scope[] | undefined
  readonly query: Query
  readonly body: Body
  readonly result: Result
  /** The statuses other than 200 that the endpoint declares. */
  readonly errors: readonly number[]
  readonly summary: string
  readonly bodyLimitInBytes: number
  /** Whether the published client has it: what integrators and pages of theirs call. */
  readonly inClient: InClient
  readonly permittedBy: By
  /** The body may also come as a form (`application/x-www-form-urlencoded`) of the same members, each a text and once. */
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
  /** The result is a string, and always travels as plain text without quotes. */
  readonly plainText?: boolean
  /**
   * True where the interface document, or a standard, says what the endpoint takes: names that it does not know are ignored.
   * [Note: Ours] Every other endpoint refuses them with a 400, `unknown_name`, in its query and its body.
   */
  readonly ignoresUnknownNames?: boolean
  /** More than the summary: rules, cross-field conditions, what happens on repetition. For the API document. */
  readonly description?: string
  /** A request that a reader may send with small changes, and what it may be answered: for the document, its curl example and its tests. */
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
  example?: { query?: Sent<Q>; body?: Sent<B>; answer?: R extends GenericSchema ? InferOutput<R> : never }
}

type ForKeys = 'key' | 'key-or-bearer'

/**
 * What an endpoint has to say of itself, by who calls it and whether it only reads. [Note: No policy by omission] What has a sound default may
 * be left out: what reads is not recorded, not repeated under a key, and leads to nothing.
 */
type PolicyFor<A, M> = (A extends ForKeys
  ? { scope: Scope | readonly Scope[] | undefined; console: Permission } & OfKeys<M>
  : { scope?: never; idempotency?: never; leadsTo?: never; permittedBy?: never; erases?: never }) &
  (A extends 'console'
    ? { console: Permission } & OfWrites<M, { rate: 'requests' | 'inits' } & Audited>
    : unknown) &
  (A extends 'none'
    ? { rate: 'inits' | 'uncounted'; inClient: boolean } & OfWrites<M, Audited & Pick<Policy, 'leaves'>>
    : { inClient?: never; leaves?: never }) &
  (A extends 'session' | 'kiosk' ? OfWrites<M, Audited> : unknown)

type Audited = Pick<Policy, 'audit'>
type OfWrites<M, P> = M extends 'GET' ? Partial<P> : P
type OfKeys<M> = { erases?: 'person'; analysed?: string } & OfWrites<
  M,
  {
    rate: 'analyses' | 'requests'
    idempotency: Idempotency
    leadsTo: LeadsTo
    permittedBy: PermittedBy
  } & Audited
>

/** The scopes of which the credential must carry one; empty if any credential will do. */
export function scopesFor({ scope }: Pick<Endpoint, 'scope'>): readonly Scope[] {
  if (scope === undefined) return []
  return typeof scope === 'string' ? [scope] : scope
}

/** What pages and servers of integrators call: not what kiosks and the console call with credentials of their own. */
type InClient<A, C> = A extends 'none' ? C : A extends 'kiosk' | 'console' ? false : true

const defaultBodyLimitInBytes = 16 * 1024 * 1024

/** [Note: Strangers send little] What who has no credential, or only that of one link, may send where nothing else is said. */
export const smallBodyInBytes = 64 * 1024

/** Defines an endpoint once. Validation, the handler's type, the client, the API document and what the server does around the handler are made from it. */
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
