import { type Attempts, attemptKeys } from '#server/features/sessions/access/attempts.ts'
import type { Suspicions } from '#server/features/sessions/access/suspicions.ts'
import type { SessionBeginning, SessionOpening, StartSession } from './start.ts'

/** A visit that another feature starts, without a link or a call from an integrator. */
export type FeatureVisit = Omit<SessionBeginning, 'attemptKeys' | 'source' | 'ownWindow'> &
  Required<Pick<SessionBeginning, 'address'>>

/** Opens sessions for other features. */
export interface OpenVisit {
  /** Undefined if one of the commit's guards failed. @throws {Problem} 429 if too many checks have failed */
  open(visit: FeatureVisit, inOneCommit: Parameters<StartSession>[1]): Promise<SessionOpening | undefined>
  /** Repeats the answer for the caller that opened this session. */
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
      // [Note: A sign-in has its own window] Otherwise, a site that may frame checks could present a framed page as another
      // site's sign-in.
      const begun = { ...visit, attemptKeys: keys, source: 'api', ownWindow: true } as const
      return startSession(begun, inOneCommit)
    },
    again: startSession.again,
  }
}
