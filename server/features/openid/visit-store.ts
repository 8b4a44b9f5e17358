import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Table } from '#server/platform/store/tables.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { Claims } from './claims.ts'
import { lifetimes } from './lifetimes.ts'

/** The session in which a sign-in goes on. */
export interface OpenVisit {
  readonly accountId: string
  readonly sessionId: string
  readonly clientId: string
}

/** What a visit said, for as long as codes and tokens of it can be shown. */
export interface EndedVisit {
  readonly clientId: string
  readonly sub: string
  readonly claims: Claims
}

/** Sign-ins, from the redirect to the page until their tokens have expired. */
export interface VisitStore {
  open(environment: Environment, uid: string): Promise<OpenVisit | undefined>
  /** What the commit that saves the session writes, and what must hold in it: a sign-in has one session. */
  opening(environment: Environment, uid: string, visit: OpenVisit): ReturnType<typeof firstOf>
  end(sessionId: string, visit: EndedVisit): Promise<void>
  ended(sessionId: string): Promise<EndedVisit | undefined>
  /** The write that ends every code and token of a session. */
  erase(sessionId: string): Write
}

export function createVisitStore(store: Store, keyRing: KeyRing): VisitStore {
  const open = createTable<OpenVisit>(store, 'openid-interaction')
  const ended = createTable<string>(store, 'openid-visit')
  return {
    open: (environment, uid) => open.get(environment, uid),
    opening: (environment, uid, visit) => firstOf(open, environment, uid, visit),
    async end(sessionId, visit) {
      const sealed = keyRing.seal('openid-visit', sessionId, Buffer.from(JSON.stringify(visit)))
      await ended.put(deployment, sessionId, sealed, lifetimes.Grant)
    },
    async ended(sessionId) {
      const sealed = await ended.get(deployment, sessionId)
      if (sealed === undefined) return undefined
      return JSON.parse(keyRing.open('openid-visit', sessionId, sealed).toString()) as EndedVisit
    },
    erase: (sessionId) => ended.write(deployment, sessionId, undefined),
  }
}

function firstOf(table: Table<OpenVisit>, environment: Environment, uid: string, visit: OpenVisit) {
  return {
    writes: [table.write(environment, uid, visit, lifetimes.Interaction)],
    guards: [table.absent(environment, uid)],
  }
}
