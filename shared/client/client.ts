import type { Credential, Fetch } from '../call.ts'
import { type ClientCatalogue, clientCatalogue } from '../contract/client-catalogue.ts'
import type { SecuritySettings, SignatureState } from '../contract/configuration/signature.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Role } from '../hosts.ts'
import { upToSignature } from '../signed-query.ts'
import { type CallSettings, type Calls, createCalls, type SessionCalls } from './calls.ts'
import { platform } from './platform.ts'
import { checkedOrigin, checkedSecret } from './sentences.ts'

export type { Fetch } from '../call.ts'
export type { AccountEvent } from '../contract/account/event.ts'
export type { WebhookEvent } from '../contract/account/webhook.ts'
export type { Image } from '../contract/analysis/image.ts'
export type { VerificationConfig } from '../contract/configuration/verification-config.ts'
export type { SessionResult } from '../contract/sessions/session-result.ts'
export { Problem } from '../problem.ts'
export type { ProblemCode } from '../problem-codes.ts'
export type { CallOptions } from './calls.ts'
export { imageOf, type Picture } from './image.ts'
export { NoAnswer } from './sentences.ts'
export { type ReceivedWebhook, verifyEvent, verifyWebhook } from './webhook.ts'

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** The name of a role's member on the client, such as `faceRecognition` for `face-recognition`. */
export type RoleName = CamelCase<Role>

/** A credential, or a function that provides one for each call. */
export type Secret = string | (() => string | Promise<string>)

export interface ClientOptions {
  /** The services' origin, such as `https://check.example`, or one origin per role. */
  readonly origin: string | Readonly<Partial<Record<RoleName, string>>>
  /** An API key. For servers only; takes precedence over `bearer`. */
  readonly apiKey?: Secret
  /** A bearer token from `security.getToken`. */
  readonly bearer?: Secret
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: Fetch
  /** The timeout for each attempt. Defaults to 30 seconds. */
  readonly timeoutInMilliseconds?: number
  /** How often to retry a 429 or 503 with a `Retry-After` header. Defaults to 0. */
  readonly retries?: number
  /** The longest `Retry-After` that the client waits for. Defaults to 30 seconds. */
  readonly longestWaitInSeconds?: number
}

/** A link for a single visit. */
export interface LinkRequest {
  readonly verificationId: string
  /** Your own parameters, which are returned with the result. Names that begin with `re` are reserved. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly securitySettings?: Partial<SecuritySettings>
}

/** The parameters of the address that a person returned to. Only trust them if the signature is Valid. */
export interface ReturnedVisit {
  readonly signature: SignatureState
  readonly parameters: Readonly<Record<string, string>>
}

/** Every endpoint of every role as a typed function that rejects with a `Problem`. */
export type Client = { readonly [R in Role as CamelCase<R>]: Calls<ClientCatalogue[R]> } & {
  /** Returns the calls for a single session, which use its token. */
  session(sessionToken: string): SessionCalls
  /** Signs a link to the capture page. Adds `reVerificationId`, so that the link cannot be used for another verification. */
  createLink(request: LinkRequest): Promise<string>
  /** Checks the signature of a returned address and reads its parameters, dropping any that were appended after the signature. */
  readReturn(address: string): Promise<ReturnedVisit>
}

/** Kinds of authentication that use a token instead of an account's credential. */
const devices: readonly Endpoint['auth'][] = ['session', 'kiosk']

/** Creates a client. It has no state except its options, and sends nothing until it is called. */
export function createClient(options: ClientOptions): Client {
  const roles = Object.entries<Record<string, Endpoint>>(clientCatalogue).map(([role, endpoints]) => {
    const name = camelCase(role) as RoleName
    return [name, createCalls(endpoints, sendingTo(name, options), ({ auth }) => !devices.includes(auth))]
  })
  const calls = Object.fromEntries(roles) as Client
  const session = (sessionToken: string) => {
    const sending = sendingTo('configuration', { ...options, bearer: sessionToken })
    return createCalls(
      clientCatalogue.configuration,
      sending,
      ({ auth }) => auth === 'session',
    ) as unknown as SessionCalls
  }
  return {
    ...calls,
    session,
    createLink: (request) => createLink(calls, originOf('configuration', options), request),
    readReturn: (address) => readReturn(calls, address),
  }
}

function sendingTo(role: RoleName, options: ClientOptions): CallSettings {
  return {
    get origin() {
      return originOf(role, options)
    },
    fetch: options.fetch ?? ((address, init) => platform.fetch(address, init)),
    timeoutInMilliseconds: options.timeoutInMilliseconds ?? 30_000,
    retries: options.retries ?? 0,
    longestWaitInSeconds: options.longestWaitInSeconds ?? 30,
    credentialFor: ({ auth }) => credentialFor(auth, options),
  }
}

function originOf(role: RoleName, { origin }: ClientOptions): string {
  const found = typeof origin === 'string' ? origin : origin[role]
  if (found === undefined) throw new TypeError(`The client was given no origin for ${role}.`)
  return checkedOrigin(found)
}

async function credentialFor(auth: Endpoint['auth'], { apiKey, bearer }: ClientOptions): Promise<Credential> {
  if (auth === 'none') return undefined
  if (apiKey !== undefined && auth !== 'session') return { apiKey: await reveal(apiKey) }
  return bearer === undefined ? undefined : { bearer: await reveal(bearer) }
}

async function reveal(secret: Secret): Promise<string> {
  return checkedSecret(typeof secret === 'string' ? secret : await secret())
}

async function createLink(calls: Client, origin: string, request: LinkRequest): Promise<string> {
  const { verificationId, parameters = {}, securitySettings } = request
  const query = new platform.URLSearchParams({ reVerificationId: verificationId, ...parameters })
  const { signedQueryString } = await calls.configuration.createSignature({
    queryString: query.toString(),
    ...(securitySettings === undefined ? {} : { securitySettings }),
  })
  return `${origin}/verification/${encodeURIComponent(verificationId)}?${signedQueryString}`
}

async function readReturn(calls: Client, address: string): Promise<ReturnedVisit> {
  const search = upToSignature(new platform.URL(address).search)
  const { result } = await calls.configuration.validateSignature({ queryString: search })
  return { signature: result, parameters: Object.fromEntries(new platform.URLSearchParams(search)) }
}

function camelCase(role: string): string {
  return role.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
