import type { GenericSchema, InferInput } from 'valibot'
import { type Credential, callUnchecked, type Fetch } from '../call.ts'
import type { ClientCatalogue } from '../contract/client-catalogue.ts'
import type { Endpoint, ResultOf } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import { pause, withinTime } from './deadline.ts'
import type { Signal } from './platform.ts'
import { inWords } from './sentences.ts'

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, even while it is waiting to retry. */
  readonly signal?: Signal
  /** 1 to 255 printable characters, chosen by you. Repeating a call with the same key has no further effect. */
  readonly idempotencyKey?: string
}

type Part<S> = S extends GenericSchema ? InferInput<S> : unknown
type Members<E extends Endpoint> = unknown extends Part<E['query']> & Part<E['body']>
  ? Record<string, never>
  : Part<E['query']> & Part<E['body']>

/** An endpoint as a function that takes all its input in one object and rejects with a `Problem`. */
export type Call<E extends Endpoint> =
  Record<string, never> extends Members<E>
    ? (input?: Members<E>, options?: CallOptions) => Promise<ResultOf<E>>
    : (input: Members<E>, options?: CallOptions) => Promise<ResultOf<E>>

/** The calls of a role, except those that need the token of a session or a kiosk. */
export type Calls<Endpoints extends Record<string, Endpoint>> = {
  readonly [Name in keyof Endpoints as Endpoints[Name]['auth'] extends 'session' | 'kiosk'
    ? never
    : Name]: Call<Endpoints[Name]>
}

/** The calls of one session; its token is the credential. */
export type SessionCalls = {
  readonly [Name in keyof ClientCatalogue['configuration'] as ClientCatalogue['configuration'][Name]['auth'] extends 'session'
    ? Name
    : never]: Call<ClientCatalogue['configuration'][Name]>
}

export interface CallSettings {
  readonly origin: string
  readonly fetch: Fetch
  readonly timeoutInMilliseconds: number
  readonly retries: number
  readonly longestWaitInSeconds: number
  credentialFor(endpoint: Endpoint): Promise<Credential>
}

type AnyCall = (input?: Readonly<Record<string, unknown>>, options?: CallOptions) => Promise<unknown>

/** Creates a function for each endpoint that `choose` accepts. */
export function createCalls(
  endpoints: Readonly<Record<string, Endpoint>>,
  sending: CallSettings,
  isChosen: (endpoint: Endpoint) => boolean,
): Readonly<Record<string, AnyCall>> {
  const chosen = Object.entries(endpoints).filter(([, endpoint]) => isChosen(endpoint))
  return Object.fromEntries(chosen.map(([name, endpoint]) => [name, createCall(endpoint, sending)]))
}

function createCall(endpoint: Endpoint, sending: CallSettings): AnyCall {
  return (input = {}, { signal, idempotencyKey } = {}) =>
    withRetries(sending, signal, async () => {
      const credential = await sending.credentialFor(endpoint)
      const args = { ...split(endpoint, input), credential }
      const { origin, timeoutInMilliseconds } = sending
      try {
        return await withinTime(timeoutInMilliseconds, signal, (either) =>
          callUnchecked(withOptions(sending.fetch, either, idempotencyKey), origin, endpoint, args),
        )
      } catch (error) {
        const about = { endpoint, origin, credential, timeoutInMilliseconds }
        throw signal?.aborted ? signal.reason : inWords(error, about)
      }
    })
}

/** Applies the timeout to each attempt. `fetch` is typed without a signal because browsers and Node have different types for it. */
function withOptions(fetch: Fetch, signal: Signal, idempotencyKey: string | undefined): Fetch {
  return (address, init) => {
    const own = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
    return fetch(address, { ...init, headers: { ...init.headers, ...own }, signal } as typeof init)
  }
}

function split(endpoint: Endpoint, input: Readonly<Record<string, unknown>>) {
  if (endpoint.query === undefined) return { body: input }
  if (endpoint.body === undefined) return { query: input }
  const names = Object.keys((endpoint.query as unknown as { entries: object }).entries)
  const members = Object.entries(input)
  return {
    query: Object.fromEntries(members.filter(([name]) => names.includes(name))),
    body: Object.fromEntries(members.filter(([name]) => !names.includes(name))),
  }
}

/** Retries after the time given in the server's `Retry-After` header, if there is one. Gives up if the wait would be too long. */
async function withRetries<T>(
  sending: CallSettings,
  signal: Signal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let left = sending.retries; ; left--) {
    try {
      return await work()
    } catch (error) {
      const seconds = secondsToWait(error)
      if (left <= 0 || seconds === undefined || seconds > sending.longestWaitInSeconds) throw error
      await pause(seconds * 1000, signal)
    }
  }
}

function secondsToWait(error: unknown): number | undefined {
  const isTemporary = error instanceof Problem && [429, 503].includes(error.status)
  return isTemporary ? error.retryAfterInSeconds : undefined
}
