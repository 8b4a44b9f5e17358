import { createHmac, randomUUID } from 'node:crypto'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import {
  type Clock,
  type Guard,
  guardOf,
  inPassing,
  type Store,
  type Write,
} from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'
import type { Subjects } from './subjects.ts'

const keptInSeconds = 24 * 3600
/** Longer than any request may take. A process that has been silent for this long has died. */
const underWayInMilliseconds = 120_000

/** A stored answer under an idempotency key; without content while the request is in progress. */
interface Record {
  /** A digest of the query and the body. */
  readonly digest: string
  readonly by: string
  /** Milliseconds since 1970. */
  readonly until: number
  readonly sealed: string | null
}

/** An answer's location. It does not contain the key itself. */
export interface Place {
  readonly accountId: string
  readonly id: string
}

type CalledEndpoint = Pick<Endpoint, 'method' | 'path'>

export type Claim =
  | { readonly is: 'mine'; readonly guard: Guard; readonly digest: string; readonly by: string }
  | { readonly is: 'answered'; readonly answer: string }
  | { readonly is: 'other request' }
  | { readonly is: 'under way' }
  /** The process that handled it died, and its progress is unknown. */
  | { readonly is: 'interrupted' }

/**
 * Answers stored for a day so that a repeated request gets the same answer. Key and request are stored as keyed digests, and
 * the answer is sealed. Answers that name a person or a session can be found by them and erased.
 */
export interface KeptAnswers {
  /**
   * Derived from method, path and key within an account, whichever credential is used. [Note: A repeat across an upgrade]
   * Up to 0.2.0 a key was separate for each kind of credential, and a call that was answered then is repeated with that
   * answer.
   */
  placeOf(accountId: string, via: AccountCaller['via'], endpoint: CalledEndpoint, key: string): Promise<Place>
  /** A digest that identifies a request, computed from pieces of its text in slices of the event loop. */
  digestOf(pieces: Iterable<string>): Promise<string>
  /**
   * Undefined if another request was faster, in which case the caller asks again. `repeats` is true if repeating the call has
   * the same effect, so it counts as never interrupted.
   */
  claim(place: Place, digest: string, repeats: boolean): Promise<Claim | undefined>
  keep(place: Place, claim: Claim & { is: 'mine' }, answer: string, about: Subjects): Promise<void>
  /** Stores nothing, so that the next request counts as the first one. */
  release(place: Place, claim: Claim & { is: 'mine' }): Promise<void>
  /** Erases answers about a person and about these sessions. */
  forget(accountId: string, externalId: string, sessionIds: readonly string[]): Promise<void>
}

interface Dependencies {
  store: Store
  keyRing: KeyRing
  accounts: Pick<Accounts, 'find' | 'personDigest'>
  now: Clock
}

export function createKeptAnswers({ store, keyRing, accounts, now }: Dependencies): KeptAnswers {
  const table = createTable<Record>(store, 'kept-answer')
  const bySubject = createTable<string>(store, 'kept-answer-by-subject')
  const digestOf = (text: string) =>
    createHmac('sha256', keyRing.derive('idempotency')).update(text).digest('base64url')
  const contextOf = ({ accountId, id }: Place) => `${accountId}/${id}`

  const openedAt = (place: Place) => (sealed: string) =>
    keyRing.open('kept-answer', contextOf(place), sealed).toString()

  return {
    async placeOf(accountId, via, { method, path }, key) {
      const former = digestOf(JSON.stringify([accountId, via, method, path, key]))
      const isFormer = (await table.read(accountId, former)) !== undefined
      return { accountId, id: isFormer ? former : digestOf(JSON.stringify([accountId, method, path, key])) }
    },
    async digestOf(pieces) {
      const mac = createHmac('sha256', keyRing.derive('idempotency'))
      for (const piece of pieces) {
        mac.update(piece)
        if (loopTurns.isOver()) await loopTurns.next()
      }
      return mac.digest('base64url')
    },
    async claim(place, digest, repeats) {
      const { accountId, id } = place
      const read = await table.read(accountId, id)
      const known = read && claimOf(read.value, { digest, repeats, at: now(), open: openedAt(place) })
      if (known !== undefined) return known
      const by = randomUUID()
      const record = { digest, by, until: now() + underWayInMilliseconds, sealed: null }
      const write = table.write(accountId, id, record, keptInSeconds)
      const isMine = await store.commit([write], [read?.guard ?? table.absent(accountId, id)])
      return isMine ? { is: 'mine', guard: guardOf(write), digest, by } : undefined
    },
    async keep(place, { guard, digest, by }, answer, about) {
      const { accountId, id } = place
      const sealed = keyRing.seal('kept-answer', contextOf(place), Buffer.from(answer))
      const record = { digest, by, until: now(), sealed }
      const owners = await deriveOwners(accounts, accountId, about)
      const lists: Write[] = owners.map((owner) => bySubject.write(owner, id, id, keptInSeconds))
      await store.commit([table.write(accountId, id, record, keptInSeconds), ...lists], [guard])
    },
    async release({ accountId, id }, { guard }) {
      await store.commit([inPassing(table.write(accountId, id, undefined))], [guard])
    },
    async forget(accountId, externalId, sessions) {
      for (const owner of await deriveOwners(accounts, accountId, { persons: [externalId], sessions })) {
        const ids = await allOf(bySubject.list(owner))
        const gone = ids.flatMap((id) => [
          table.write(accountId, id, undefined),
          bySubject.write(owner, id, undefined),
        ])
        if (gone.length > 0) await store.commit(gone, [])
      }
    },
  }
}

interface RepeatableRequest {
  readonly digest: string
  readonly repeats: boolean
  /** Milliseconds since 1970. */
  readonly at: number
  open(sealed: string): string
}

/** The meaning of an existing claim for this request; undefined if it may be taken over. */
function claimOf({ digest, sealed, until }: Record, asked: RepeatableRequest): Claim | undefined {
  if (digest !== asked.digest) return { is: 'other request' }
  if (sealed !== null) return { is: 'answered', answer: asked.open(sealed) }
  if (until > asked.at) return { is: 'under way' }
  return asked.repeats ? undefined : { is: 'interrupted' }
}

/** The lists in which an answer can be found. Persons are listed by a digest with the account's key. */
async function deriveOwners(
  accounts: Dependencies['accounts'],
  accountId: string,
  { persons, sessions }: Subjects,
): Promise<string[]> {
  const account = persons.length === 0 ? undefined : await accounts.find(accountId)
  const ids = new Set(persons.flatMap(identityForms))
  const named = account === undefined ? [] : [...ids].map((id) => accounts.personDigest(account, id))
  return [
    ...named.map((id) => `${accountId}/person/${id}`),
    ...sessions.map((id) => `${accountId}/session/${id}`),
  ]
}
