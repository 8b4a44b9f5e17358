import { setTimeout as pause } from 'node:timers/promises'
import { getSessionResult } from '../../../shared/contract/sessions/session-result.ts'
import { Problem } from '../../../shared/problem.ts'
import type { Caller } from '../caller.ts'
import { passSession } from '../whole-session.ts'

/** Visits that went on while servers were replaced, by their outcome. */
export interface Visits {
  begun: number
  /** The ids of sessions whose result was read. */
  readonly finished: string[]
  readonly lost: string[]
  /** The number of calls that were answered with a retry time and then repeated. */
  triedAgain: number
}

/** Visits that go on until they are over. */
export interface Visitors {
  readonly visits: Visits
  /** Lets each visitor finish. Returns how many results are missing. */
  end(): Promise<number>
}

/** Sends visitors through whole sessions of a verification, one after the other, `atOnce` at a time. */
export function startVisitors(caller: Caller, verificationId: string, atOnce: number): Visitors {
  const visits: Visits = { begun: 0, finished: [], lost: [], triedAgain: 0 }
  const patient = patientCaller(caller, visits)
  let isOver = false
  const visitors = Array.from({ length: atOnce }, () => visit(patient, verificationId, visits, () => isOver))
  return {
    visits,
    async end() {
      isOver = true
      await Promise.all(visitors)
      return countMissing(patient, visits.finished)
    },
  }
}

async function visit(
  caller: Caller,
  verificationId: string,
  visits: Visits,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const number = visits.begun++
    try {
      visits.finished.push(await passSession(caller, verificationId, number))
    } catch (error) {
      visits.lost.push(`visit ${number}: ${(error as Error).message}`)
      await pause(1000)
    }
  }
}

/** Retries if it is asked to, like the page does. */
function patientCaller(caller: Caller, visits: Visits): Caller {
  return {
    async call(endpoint, args) {
      for (;;) {
        try {
          return await caller.call(endpoint, args)
        } catch (error) {
          if (!(error instanceof Problem) || error.retryAfterInSeconds === undefined) throw error
          visits.triedAgain++
          await pause(error.retryAfterInSeconds * 1000)
        }
      }
    },
  }
}

async function countMissing(caller: Caller, sessions: readonly string[]): Promise<number> {
  let missing = 0
  for (const verificationSessionId of sessions) {
    const found = await caller
      .call(getSessionResult, { query: { verificationSessionId } })
      .catch(() => undefined)
    if (found === undefined) missing++
  }
  return missing
}
