import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import {
  antiForgeryHeader,
  backgroundHeader,
  consoleBasePath,
  showingHeader,
} from '#shared/contract/console/console-paths.ts'
import type { SignedIn } from '#shared/contract/console/sign-in.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { OperatorRole } from '#shared/operator-roles.ts'
import { newAuthenticator } from './authenticator.ts'
import type { Host } from './host.ts'

export type Device = ReturnType<typeof newAuthenticator>

/** How a request deviates from the console page's own; null omits a header. */
export interface Otherwise {
  readonly origin?: string | null
  readonly site?: string | null
  readonly token?: string | null
  readonly cookie?: string | null
  readonly background?: boolean
  readonly idempotencyKey?: string
  /** The view that the page reports, or nothing if this is undefined. */
  readonly showing?: string
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Headers
}

/** A browser that has the console open, and a device that creates and uses one passkey. */
export interface ConsoleVisitor {
  readonly device: Device
  /** Undefined while signed out. */
  cookie(): string | undefined
  /** The anti-forgery token. */
  token(): string | undefined
  me(): SignedIn
  /** Calls an endpoint, which is either one of the console's or a public one below its base path. */
  ask(endpoint: Endpoint, given?: unknown, otherwise?: Otherwise): Promise<Answer>
  /** Like `ask`, but does not read the answer. */
  open(endpoint: Endpoint, otherwise?: Otherwise): Promise<Response>
  /** Creates a passkey using an invitation. */
  accept(code: string, name?: string): Promise<Answer>
  signIn(): Promise<Answer>
  again(): Promise<Answer>
}

/** The address of a host's console. */
export function consoleOf({ origin }: Pick<Host, 'origin'>): string {
  return origin.replace('127.0.0.1', 'localhost')
}

export function newVisitor(
  host: Pick<Host, 'origin' | 'fetch'>,
  device: Device = newAuthenticator(consoleOf(host)),
): ConsoleVisitor {
  let cookie: string | undefined
  let token: string | undefined
  let me: SignedIn | undefined

  function send(endpoint: Endpoint, given: unknown, otherwise: Otherwise): Promise<Response> {
    const isOwn = endpoint.path.startsWith(`${consoleBasePath}/`)
    const query =
      endpoint.query === undefined ? '' : `?${new URLSearchParams(given as Record<string, string>)}`
    const sent = {
      origin: otherwise.origin === undefined ? consoleOf(host) : otherwise.origin,
      'sec-fetch-site': otherwise.site === undefined ? 'same-origin' : otherwise.site,
      [antiForgeryHeader]: otherwise.token === undefined ? token : otherwise.token,
      cookie: otherwise.cookie === undefined ? cookie : otherwise.cookie,
      [backgroundHeader]: otherwise.background === true ? '1' : undefined,
      [showingHeader]: otherwise.showing,
      'idempotency-key': otherwise.idempotencyKey,
      'content-type': endpoint.body === undefined ? undefined : 'application/json',
    }
    const headers = Object.entries(sent).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    )
    return host.fetch((isOwn ? '' : consoleBasePath) + endpoint.path + query, {
      method: endpoint.method,
      headers,
      ...(endpoint.body === undefined ? {} : { body: JSON.stringify(given) }),
    })
  }

  async function ask(endpoint: Endpoint, given: unknown = {}, otherwise: Otherwise = {}): Promise<Answer> {
    const answer = await send(endpoint, given, otherwise)
    const set = answer.headers.get('set-cookie')
    if (set !== null) cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0]
    const body = JSON.parse(await answer.text()) as Record<string, unknown>
    if (typeof body.antiForgery === 'string') token = body.antiForgery
    if (answer.ok && typeof (body.me ?? body.operatorId) !== 'undefined')
      me = (body.me ?? body) as unknown as SignedIn
    return { status: answer.status, body, headers: answer.headers }
  }

  async function ceremony(begin: Endpoint, finish: Endpoint, given: object, kind: 'make' | 'show') {
    const begun = await ask(begin, given)
    if (begun.status !== 200) return begun
    const response = device[kind](begun.body.options as Record<string, unknown>)
    return ask(finish, { ...given, ceremony: begun.body.ceremony, response })
  }

  const { beginInvitation, finishInvitation, beginSignIn, finishSignIn, beginAgain, finishAgain } =
    consoleCatalogue
  return {
    device,
    cookie: () => cookie,
    token: () => token,
    me: () => me!,
    ask,
    open: (endpoint, otherwise = {}) => send(endpoint, {}, otherwise),
    accept: (code, name) =>
      ceremony(beginInvitation, finishInvitation, { code, ...(name && { name }) }, 'make'),
    signIn: () => ceremony(beginSignIn, finishSignIn, {}, 'show'),
    again: () => ceremony(beginAgain, finishAgain, {}, 'show'),
  }
}

/** Signs a person in to the account with this role. */
export async function signedInAs(
  host: Host,
  role: OperatorRole,
  name: string = role,
): Promise<ConsoleVisitor> {
  const { code } = await host.services.invitations.make({
    accountId: host.accountId,
    name,
    role,
    lifeInSeconds: 60,
    mayReplace: false,
  })
  const visitor = newVisitor(host)
  const answer = await visitor.accept(code)
  if (answer.status !== 200) throw new Error(`The sign-in failed: ${JSON.stringify(answer.body)}`)
  return visitor
}
