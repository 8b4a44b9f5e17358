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

/** The calls of the console: its own, and those of every integrator with the role of the person. */
export interface ConsoleCalls {
  readonly own: { readonly [Name in keyof ConsoleCatalogue]: Call<ConsoleCatalogue[Name]> }
  readonly configuration: Calls<ClientCatalogue['configuration']>
  readonly recognition: Calls<ClientCatalogue['face-recognition']>
}

/** What stands between a call and its answer. */
export interface Gate {
  /** Goes with every call, so that no other page can make one; empty while nobody is signed in. */
  antiForgeryToken(): string
  /** What the page shows: goes with every call, so that none is about what another tab has switched to. Empty while that is not known. */
  showing(): string
  /** Another tab has switched the console. */
  onMoved(): void
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
  const sendingTo = (base: string): Sending => ({
    origin: origin + base,
    fetch: guardedFetch(fetch, gate),
    timeoutInMilliseconds: answerMilliseconds,
    retries: 1,
    longestWaitInSeconds: 5,
    credentialFor: async () => undefined,
  })
  const make = (endpoints: ClientCatalogue[keyof ClientCatalogue]) =>
    createCalls(endpoints, sendingTo(consoleBasePath), ({ auth }) => auth !== 'session')
  return {
    own: createCalls(consoleCatalogue, sendingTo(''), () => true) as unknown as ConsoleCalls['own'],
    configuration: make(clientCatalogue.configuration) as unknown as ConsoleCalls['configuration'],
    recognition: make(clientCatalogue['face-recognition']) as unknown as ConsoleCalls['recognition'],
  }
}

const passkeyNeeded = 'passkey_needed' satisfies ProblemCode
const consoleMoved = 'console_moved' satisfies ProblemCode

/** A fetch that carries the token, asks for the passkey again where that is wanted, and hears of the end. */
export function guardedFetch(fetch: Fetch, gate: Gate): Fetch {
  const sendAs =
    (showing: string): Fetch =>
    (address, init) => {
      const token = gate.antiForgeryToken()
      const own = {
        ...(token === '' ? {} : { [antiForgeryHeader]: token }),
        ...(showing === '' ? {} : { [showingHeader]: showing }),
        ...(gate.isBackground() ? { [backgroundHeader]: '1' } : {}),
      }
      return fetch(address, { ...init, headers: { ...init.headers, ...own } })
    }
  return async (address, init) => {
    // The same for both tries: while the passkey is asked for, the page may come to show something else.
    const send = sendAs(gate.showing())
    const answer = await send(address, init)
    if (answer.status === 401) gate.onSignedOut()
    if (answer.status !== 403) return answer
    const text = await answer.text()
    const code = codeOf(text)
    if (code === passkeyNeeded && (await gate.askAgain())) return send(address, init)
    if (code === consoleMoved) gate.onMoved()
    return { ok: answer.ok, status: answer.status, headers: answer.headers, text: async () => text }
  }
}

function codeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { code?: unknown }).code
  } catch {
    return undefined
  }
}
