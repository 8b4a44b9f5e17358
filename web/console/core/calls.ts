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

/** The calls of the console: its own, and those of every integrator with the role of the person. */
export interface ConsoleCalls {
  readonly own: { readonly [Name in keyof ConsoleCatalogue]: Call<ConsoleCatalogue[Name]> }
  readonly configuration: Calls<ClientCatalogue['configuration']>
  readonly recognition: Calls<ClientCatalogue['face-recognition']>
  /**
   * The same calls, all about what a page shows, for as long as it stands: once the console shows something else, the server refuses what is
   * still under way, and nothing of it lands elsewhere.
   */
  about(showing: string): ConsoleCalls
}

/** What stands between a call and its answer. */
export interface Gate {
  /** Goes with every call, so that no other page can make one; empty while nobody is signed in. */
  antiForgeryToken(): string
  /** What the page shows: goes with every call, so that none is about what another tab has switched to. Empty while that is not known. */
  showing(): string
  /** Another tab has switched the console; or this one has, and what a call was about is not shown here any more. */
  onMoved(isLeftBehind: boolean): void
  /** Whether no person asked for what is called now: such a call keeps nobody signed in. */
  isBackground(): boolean
  /** Nobody is signed in any more. */
  onSignedOut(): void
  /** Asks for the passkey again; false where the person would not. */
  askAgain(): Promise<boolean>
}

const answerMilliseconds = 20_000

/** Makes the calls. */
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
 * [Note: A call is about what was shown] at its beginning, however often it is tried: while it waits for a server that is busy, or for the
 * passkey, the page may come to show something else. The passkey is asked for outside of the time of a try, and the next one has all of it.
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

/** A fetch for a page that shows `showing`: it carries the token, asks for the passkey again where that is wanted, and hears of the end. */
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

/** Says what is shown with everything that goes out. */
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
    // What a page that was left only wanted to read is missed by nobody.
    if (codeOf(text) === consoleMoved && !(isLeftBehind && init.method === 'GET')) gate.onMoved(isLeftBehind)
    return withText(answer, text)
  }
}

type Answer = Awaited<ReturnType<Fetch>>

/** The answer, whose text was read already. */
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
