import type { Fetch } from '#shared/call.ts'
import { type Call, type CallSettings, type Calls, createCalls } from '#shared/client/calls.ts'
import { type ClientCatalogue, clientCatalogue } from '#shared/contract/client-catalogue.ts'
import { type ConsoleCatalogue, consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import {
  antiForgeryHeader,
  backgroundHeader,
  consoleBasePath,
  showingHeader,
} from '#shared/contract/console/console-paths.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { ProblemCode } from '#shared/problem-codes.ts'

/** The console's calls: private ones, plus the public ones that the person's role allows. */
export interface ConsoleCalls {
  readonly own: { readonly [Name in keyof ConsoleCatalogue]: Call<ConsoleCatalogue[Name]> }
  readonly configuration: Calls<ClientCatalogue['configuration']>
  readonly recognition: Calls<ClientCatalogue['face-recognition']>
  /**
   * The same calls, bound to the account that the page shows. Once the console switches to another account, the server rejects
   * calls that are still in flight, so that they do not affect that account.
   */
  about(showing: string): ConsoleCalls
}

/** Hooks that run around each call. */
export interface Gate {
  /** Sent with every call, so that other sites cannot make calls; empty when signed out. */
  antiForgeryToken(): string
  /** The account that the page shows. It is sent with every call, so that no call reaches an account chosen in another tab. Empty if unknown. */
  showing(): string
  /** Either another tab switched the account, or this tab did and the call belongs to the previous one. */
  onMoved(isLeftBehind: boolean): void
  /** True if no person triggered the current call, so that it does not extend the sign-in. */
  isBackground(): boolean
  /** The sign-in has ended. */
  onSignedOut(): void
  /** Asks for the passkey again. Resolves to false if the person declines. */
  askAgain(): Promise<boolean>
}

const answerMilliseconds = 20_000

/** Creates the calls. */
export function createConsoleCalls(origin: string, fetch: Fetch, gate: Gate): ConsoleCalls {
  return callsAbout(origin, fetch, gate, () => gate.showing())
}

function callsAbout(origin: string, fetch: Fetch, gate: Gate, showing: () => string): ConsoleCalls {
  const sendingTo = (base: string): CallSettings => ({
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
type ConsoleCall = ReturnType<typeof createCalls>[string]

const passkeyNeeded = 'passkey_needed' satisfies ProblemCode
const consoleMoved = 'console_moved' satisfies ProblemCode

/**
 * [Note: A call is about what was shown] A call stays bound to the account that was shown when it began, even if it is retried, because
 * the page may switch in the meantime. The passkey prompt does not count towards the timeout, and the next attempt gets the full time.
 */
function guardedCalls(
  endpoints: Endpoints,
  sending: CallSettings,
  gate: Gate,
  showing: () => string,
): Readonly<Record<string, ConsoleCall>> {
  const guarded = ([name, endpoint]: [string, Endpoint]): [string, ConsoleCall] => [
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

/** A fetch bound to the account that a page shows. It sends the tokens, asks for the passkey when required, and reports an ended sign-in. */
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
    // If the page is no longer open, an outdated read does not need a message.
    if (codeOf(text) === consoleMoved && !(isLeftBehind && init.method === 'GET')) gate.onMoved(isLeftBehind)
    return withText(answer, text)
  }
}

type Answer = Awaited<ReturnType<Fetch>>

/** An answer whose body has already been read. */
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
