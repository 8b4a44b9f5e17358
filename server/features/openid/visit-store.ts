import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Table } from '#server/platform/store/tables.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { Claims } from './claims.ts'
import { lifetimes } from './lifetimes.ts'

/** The session in which a sign-in continues. */
export interface OpenVisit {
  readonly accountId: string
  readonly sessionId: string
  readonly clientId: string
}

/** A visit's result, stored for as long as its codes and tokens are valid. */
export interface EndedVisit {
  readonly clientId: string
  readonly sub: string
  readonly claims: Claims
}

/** The writes and guards in one commit. */
export interface CommitParts {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/** Sign-ins, from the redirect to the page until their tokens expire. */
export interface VisitStore {
  open(environment: Environment, uid: string): Promise<OpenVisit | undefined>
  /** The writes and guards for the commit that saves the session. They ensure that a sign-in has only one session. */
  opening(environment: Environment, uid: string, visit: OpenVisit): ReturnType<typeof firstOf>
  /** Stores the result along with other writes, once. False if a guard fails or another result was stored, in which case nothing is written. */
  end(sessionId: string, visit: EndedVisit, together: CommitParts): Promise<boolean>
  ended(sessionId: string): Promise<EndedVisit | undefined>
  /** Forgets that a sign-in has a session. */
  forgetOpen(environment: Environment, uid: string): Promise<unknown>
  /** Ends all codes and tokens in these sessions. */
  erase(sessionIds: readonly string[]): Promise<void>
}

export function createVisitStore(store: Store, keyRing: KeyRing): VisitStore {
  const open = createTable<OpenVisit>(store, 'openid-interaction')
  const ended = createTable<string>(store, 'openid-visit')
  return {
    open: (environment, uid) => open.get(environment, uid),
    opening: (environment, uid, visit) => firstOf(open, environment, uid, visit),
    end(sessionId, visit, { writes, guards }) {
      const sealed = keyRing.seal('openid-visit', sessionId, Buffer.from(JSON.stringify(visit)))
      const kept = ended.write(deployment, sessionId, sealed, lifetimes.Grant)
      return store.commit([...writes, kept], [...guards, ended.absent(deployment, sessionId)])
    },
    async ended(sessionId) {
      const sealed = await ended.get(deployment, sessionId)
      if (sealed === undefined) return undefined
      return JSON.parse(keyRing.open('openid-visit', sessionId, sealed).toString()) as EndedVisit
    },
    forgetOpen: async (environment, uid) => open.remove(environment, uid),
    async erase(sessionIds) {
      const writes = sessionIds.map((sessionId) => ended.write(deployment, sessionId, undefined))
      if (writes.length > 0) await store.commit(writes, [])
    },
  }
}

function firstOf(table: Table<OpenVisit>, environment: Environment, uid: string, visit: OpenVisit) {
  return {
    writes: [table.write(environment, uid, visit, lifetimes.Interaction)],
    guards: [table.absent(environment, uid)],
  }
}
