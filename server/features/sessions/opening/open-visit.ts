import { type Attempts, attemptKeys } from './attempts.ts'
import type { Beginning, Started, StartSession } from './start.ts'
import type { Suspicions } from './suspicions.ts'

/** What a visit begins with whose person is led here by a feature, and not by a link or a call of an integrator. */
export type LedVisit = Omit<Beginning, 'attemptKeys' | 'source' | 'ownWindow'> &
  Required<Pick<Beginning, 'address'>>

/** Opens sessions for other features. */
export interface OpenVisit {
  /** Undefined where what must hold in the commit did not. @throws {Problem} 429 where too many checks have failed */
  open(visit: LedVisit, inOneCommit: Parameters<StartSession>[1]): Promise<Started | undefined>
  /** The answer to whoever opened this session, once more. */
  readonly again: StartSession['again']
}

interface Dependencies {
  readonly attempts: Pick<Attempts, 'check'>
  readonly suspicions: Pick<Suspicions, 'check'>
  readonly startSession: StartSession
}

export function createOpenVisit({ attempts, suspicions, startSession }: Dependencies): OpenVisit {
  return {
    async open(visit, inOneCommit) {
      const { account, inputs, address } = visit
      const { externalId } = inputs
      const keys = attemptKeys(account.accountId, { externalId, address })
      await attempts.check(keys, account.attemptLimit)
      await suspicions.check(attemptKeys(account.accountId, { externalId }))
      // [Note: A sign-in has its own window] A site that framed the page, even one that may frame checks, could pass its own sign-in off as another.
      const begun = { ...visit, attemptKeys: keys, source: 'api', ownWindow: true } as const
      return startSession(begun, inOneCommit)
    },
    again: startSession.again,
  }
}
