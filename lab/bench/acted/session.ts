import { createHash } from 'node:crypto'
import type { Finding } from '../../../models/rules/liveness/session-liveness.ts'
import type { AnalysisService } from '../../../server/features/analysis/analysis-service.ts'
import { type Action, submitSession, submitStep } from '../../../shared/contract/sessions/session.ts'
import { type Host, startHost } from '../../../tests/support/host.ts'
import { recordOf } from '../../../tests/support/session-record.ts'
import { consent, newVerification, openSession, resultOf } from '../../../tests/support/visit.ts'

/** A part of a session. `start` and `end` are straight looks. */
export type Moment = 'start' | Action | 'end'
export type Performer = (moment: Moment) => Promise<readonly Buffer[]>

export interface Attempt {
  readonly passed: boolean
  readonly reasons: readonly string[]
  readonly findings: readonly Finding[]
  /** Null if no frontal frame was analysed. */
  readonly passiveScore: number | null
}

/** The product's own server on an in-memory store, with the real networks and a clock that runs ahead of this machine's clock. */
export interface Stage {
  attempt(performer: Performer): Promise<Attempt>
  close(): Promise<void>
}

const actions: readonly Action[] = ['turnLeft', 'turnRight', 'lookUp']

/** The fastest time in which someone can read an instruction and move their head. */
const humanMilliseconds = 1500

export async function setStage(
  analysis: AnalysisService,
  challengeType: 'Balanced' | 'Advanced',
): Promise<Stage> {
  const host = await startHost({ ports: { analysis, challengeActions: actions } })
  const verificationId = await newVerification(host, {
    verifierConfigs: { liveness: { type: 'Verification', challengeType } },
  })
  return {
    close: () => host.close(),
    async attempt(performer) {
      const opened = await openSession(host, verificationId)
      await perform(host, opened.bearer, performer)
      const { verificationResult, verificationFailedReasons } = await resultOf(host, opened)
      const { findings = [], passiveScore = null } = (await recordOf(host, opened))?.outcome?.evidence ?? {}
      return {
        passed: verificationResult === 'Pass',
        reasons: verificationFailedReasons,
        findings,
        passiveScore,
      }
    },
  }
}

async function perform(host: Host, bearer: string, performer: Performer): Promise<void> {
  const openedAt = host.now()
  const framesOf = async (moment: Moment) => {
    const startedAt = Date.now()
    const pictures = await performer(moment)
    // Drawing the pictures takes time on this machine that must not be charged to the person, or else a busy machine would make them late.
    host.pass(humanMilliseconds - (Date.now() - startedAt))
    const last = host.now() - openedAt
    return pictures.map((picture, i) => ({
      bytes: picture.toString('base64'),
      time: Math.round(last - 100 * (pictures.length - i)),
    }))
  }
  const send = async (step: number, moment: Moment) =>
    host.call(submitStep, { bearer, body: { step, frames: await framesOf(moment) } })
  let step = 0
  let { next } = await send(0, 'start')
  while (next !== null) {
    step = next.step
    next = (await send(step, next.action)).next
  }
  const frames = (await framesOf('end')).map((frame) => ({ ...frame, challengeStep: step }))
  await host.call(submitSession, { bearer, body: { frames, consent } })
}

/** Caches the analysis of each picture, because many sessions show the same ones. */
export function remembering(analysis: AnalysisService): AnalysisService {
  const known = new Map<string, ReturnType<AnalysisService['analyse']>>()
  return {
    ...analysis,
    analyse(picture, wanted, request) {
      const key = createHash('sha256').update(picture).digest('base64') + JSON.stringify(wanted)
      const found = known.get(key) ?? analysis.analyse(picture, wanted, request)
      known.set(key, found)
      return found
    },
  }
}
