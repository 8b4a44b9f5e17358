import type { EarlyFindings } from '#server/features/sessions/pictures/submission.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'
import { Problem } from '#shared/problem.ts'
import type { BatchFindings } from './batch-findings.ts'
import type { EarlyAnalysis } from './early-analysis.ts'
import { type Batch, emptyIntake, type Intake, type Intakes } from './intake.ts'
import type { Pulse } from './pulse.ts'

type ArrivedPictures = Pick<EarlyFindings, 'frameCount' | 'trailCount'>
type Session = Pick<SessionRecord, 'accountId' | 'sessionId' | 'expiresAt'>

/** Gets early pictures ready to be judged, or drops them. */
export interface EarlyPictures {
  /**
   * Waits until all of them are analysed. `meanwhile` runs during that time; its argument counts the pictures that have arrived by then.
   * @throws {Problem} 503 if that takes too long
   */
  collect(
    session: Session,
    meanwhile?: (arrived: ArrivedPictures) => Promise<unknown>,
  ): Promise<EarlyFindings>
  /** Drops all of them, in the same commit. */
  drop(transaction: Pick<Transaction, 'hold' | 'write'>, session: Session): Promise<void>
}

const patienceMilliseconds = 2000
const lookAgainMilliseconds = 40

export interface EarlyPictureServices {
  readonly intakes: Pick<Intakes, 'read' | 'write' | 'found' | 'forget' | 'erased'>
  readonly analysis: Pick<EarlyAnalysis, 'urge' | 'underWay'>
  readonly pulse: Pick<Pulse, 'by' | 'isAlive'>
}

/** Creates the function that reads all early pictures of a session's open step, waiting until they are analysed. */
function createReader({ intakes, analysis, pulse }: EarlyPictureServices) {
  /** [Note: Lost with its process] Pictures that a dead process did not analyse are gone, so a step does not wait for them. */
  async function isLost({ by, spare }: Batch, isUnderWay: boolean): Promise<boolean> {
    if (isUnderWay) return false
    for (const one of [by, spare]) {
      if (one !== undefined && one !== pulse.by && (await pulse.isAlive(one))) return false
    }
    return true
  }

  /** Returns undefined until all findings are known. */
  async function foundIn(
    session: Session,
    intake: Intake,
    isUnderWay: boolean,
  ): Promise<readonly BatchFindings[] | undefined> {
    const all: BatchFindings[] = []
    for (const batch of intake.batches) {
      const found = await intakes.found(session, intake, batch)
      if (found !== undefined) all.push(found)
      else if (!(await isLost(batch, isUnderWay))) return undefined
    }
    return all
  }

  async function waitFor(session: Session, meanwhile: (arrived: ArrivedPictures) => Promise<unknown>) {
    let other: Promise<unknown> | undefined
    const until = performance.now() + patienceMilliseconds
    for (;;) {
      // This is read before the findings, because a task stores its findings before it finishes.
      const here = analysis.underWay(session)
      const { value: intake, guard } = await intakes.read(session)
      other ??= meanwhile(arrivedIn(intake))
      other.catch(() => undefined) // thrown below, unless the wait itself fails
      const found = await foundIn(session, intake, here !== undefined)
      if (found !== undefined) {
        await other
        return { intake, guard, found }
      }
      if (performance.now() > until) throw notYet()
      await Promise.race([pause(lookAgainMilliseconds), ...(here === undefined ? [] : [here])])
    }
  }

  return waitFor
}

export function createEarlyPictures(services: EarlyPictureServices): EarlyPictures {
  const { intakes, analysis } = services
  const waitFor = createReader(services)
  return {
    async collect(session, meanwhile = async () => undefined) {
      const calm = analysis.urge(session)
      try {
        const { intake, guard, found } = await waitFor(session, meanwhile)
        const { batches } = intake
        return {
          frames: found.flatMap(({ frames }) => frames),
          film: found.flatMap(({ film }) => film),
          ...arrivedIn(intake),
          lastArrival: Math.max(0, ...batches.map(({ receivedAt }) => receivedAt)),
          hold: (transaction) => transaction.hold(guard),
          markJudged(transaction, step) {
            if (guard.value === undefined) return
            const known = { step, batches: batches.map(({ batch }) => batch) }
            transaction.write(...intakes.forget(session, intake), intakes.write(session, emptyIntake(known)))
          },
        }
      } finally {
        calm()
      }
    },
    async drop(transaction, session) {
      const { writes, guard } = await intakes.erased(session)
      transaction.hold(guard)
      transaction.write(...writes)
    },
  }
}

function arrivedIn({ batches }: Intake): ArrivedPictures {
  return {
    frameCount: batches.reduce((sum, { frames }) => sum + frames, 0),
    trailCount: batches.reduce((sum, { trail }) => sum + trail, 0),
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((over) => setTimeout(over, milliseconds))
}

function notYet(): Problem {
  return new Problem('overloaded', 'The pictures handed in before are still being analysed. Try again.', {
    retryAfterInSeconds: 1,
  })
}
