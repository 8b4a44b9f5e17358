import type { Fetch } from '#shared/call.ts'
import { type Call, type Calls, createCalls, type Sending } from '#shared/client/calls.ts'
import { type ClientCatalogue, clientCatalogue } from '#shared/contract/client-catalogue.ts'
import { type ConsoleCatalogue, consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import {
  antiForgeryHeader,
  backgroundHeader,
  consoleBasePath,
  showingHeader,
} from '#shared/contract/console/console-paths.ts'
import type { ProblemCode } from '#shared/contract/problem-codes.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

/** The console's calls: its private ones, and the public ones that the person's role allows. */
export interface ConsoleCalls {
  readonly own: { readonly [Name in keyof ConsoleCatalogue]: Call<ConsoleCatalogue[Name]> }
  readonly configuration: Calls<ClientCatalogue['configuration']>
  readonly recognition: Calls<ClientCatalogue['face-recognition']>
  /**
   * The same calls, bound to what the page shows. Once the console shows another account, the server rejects
   * pending calls, so that they have no effect there.
   */
  about(showing: string): ConsoleCalls
}

/** Hooks around each call. */
export interface Gate {
  /** Sent with every call, so that other sites cannot make calls; empty without a sign-in. */
  antiForgeryToken(): string
  /** The account that the page shows. Sent with every call, so that calls do not reach an account chosen in another tab. Empty while unknown. */
  showing(): string
  /** Another tab switched the account, or this tab did and the call belongs to the previous one. */
  onMoved(isLeftBehind: boolean): void
  /** True if the current call was not requested by a person, so that it does not extend the sign-in. */
  isBackground(): boolean
  /** The sign-in has ended. */
  onSignedOut(): void
  /** Asks for the passkey again; false if the person declines. */
  askAgain(): Promise<boolean>
}

const answerMilliseconds = 20_000

/** Creates the calls. */
export function createConsoleCalls(origin: string, fetch: Fetch, gate: Gate): ConsoleCalls {
  return callsAbout(origin, fetch, gate, () => gate.showing())
}

function callsAbout(origin: string, fetch: Fetch, gate: Gate, showing: () => string): ConsoleCalls {
  const sendingTo = (base: string): Sending => ({
    origin: origin + base,
    fetch,
    timeoutInMilliseconds: answerMilliseconds,
    retries: 1,
    longestWaitInSeconds: 5,
    credentialFor: async () => undefined,
  })
  const make = (endpoints: Endpoints, base: string) => guardedCalls(endpoints, sendingTo(base), gate, showing)
  const ofAccount = (endpoints: ClientCatalogue[keyof ClientCatalogue]) => {
    const chosen = Object.entries<Endpoint>(endpoints).filter(([, { auth }]) => auth !== 'session')
    return make(Object.fromEntries(chosen), consoleBasePath)
  }
  return {
    own: make(consoleCatalogue, '') as unknown as ConsoleCalls['own'],
    configuration: ofAccount(clientCatalogue.configuration) as unknown as ConsoleCalls['configuration'],
    recognition: ofAccount(clientCatalogue['face-recognition']) as unknown as ConsoleCalls['recognition'],
    about: (shown) => callsAbout(origin, fetch, gate, () => shown),
  }
}

type Endpoints = Readonly<Record<string, Endpoint>>
type Made = ReturnType<typeof createCalls>[string]

const passkeyNeeded = 'passkey_needed' satisfies ProblemCode
const consoleMoved = 'console_moved' satisfies ProblemCode

/**
 * [Note: A call is about what was shown] A call stays bound to the account that was shown when it began, even if it is retried: while it waits for a busy
 * server or the passkey, the page may switch. The time of the passkey prompt does not count for the timeout, and the next attempt has the full time.
 */
function guardedCalls(
  endpoints: Endpoints,
  sending: Sending,
  gate: Gate,
  showing: () => string,
): Readonly<Record<string, Made>> {
  const guarded = ([name, endpoint]: [string, Endpoint]): [string, Made] => [
    name,
    async (...given) => {
      const own = { ...sending, fetch: shownFetch(sending.fetch, gate, showing()) }
      const send = createCalls({ [name]: endpoint }, own, () => true)[name]!
      try {
        return await send(...given)
      } catch (problem) {
        const isAsked = problem instanceof Problem && problem.code === passkeyNeeded
        if (!isAsked || !(await gate.askAgain())) throw problem
        return send(...given)
      }
    },
  ]
  return Object.fromEntries(Object.entries(endpoints).map(guarded))
}

/** A fetch bound to the account that a page shows. It sends the tokens, asks for the passkey if the server requires it, and reports the end of the sign-in. */
export function guardedFetch(fetch: Fetch, gate: Gate, showing: string): Fetch {
  const send = shownFetch(fetch, gate, showing)
  return async (address, init) => {
    const answer = await send(address, init)
    if (answer.status !== 403) return answer
    const text = await answer.text()
    if (codeOf(text) === passkeyNeeded && (await gate.askAgain())) return send(address, init)
    return withText(answer, text)
  }
}

/** Adds the shown account to every request. */
function shownFetch(fetch: Fetch, gate: Gate, showing: string): Fetch {
  return async (address, init) => {
    const token = gate.antiForgeryToken()
    const own = {
      ...(token === '' ? {} : { [antiForgeryHeader]: token }),
      ...(showing === '' ? {} : { [showingHeader]: showing }),
      ...(gate.isBackground() ? { [backgroundHeader]: '1' } : {}),
    }
    const answer = await fetch(address, { ...init, headers: { ...init.headers, ...own } })
    if (answer.status === 401) gate.onSignedOut()
    if (answer.status !== 403) return answer
    const text = await answer.text()
    const isLeftBehind = showing !== gate.showing()
    // An outdated read of a page that is no longer open needs no message.
    if (codeOf(text) === consoleMoved && !(isLeftBehind && init.method === 'GET')) gate.onMoved(isLeftBehind)
    return withText(answer, text)
  }
}

type Answer = Awaited<ReturnType<Fetch>>

/** An answer whose text has already been read. */
function withText({ ok, status, headers }: Answer, text: string): Answer {
  return { ok, status, headers, text: async () => text }
}

function codeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { code?: unknown }).code
  } catch {
    return undefined
  }
}
