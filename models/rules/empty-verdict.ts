import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { Verdict } from './verdict.ts'

/** The verdict for a session that ended without pictures. */
export function emptyVerdict(reason: FailedReason): Verdict {
  return {
    reasons: [reason],
    liveness: 'NotExecuted',
    age: 'NotExecuted',
    gender: 'NotExecuted',
    estimatedAge: null,
    estimatedGender: null,
    totalFaceCount: 0,
    portrait: null,
    emotion: null,
    evidence: {
      findings: [],
      cues: [],
      passiveScore: null,
      leastLikeness: null,
      steps: [],
      frames: 0,
      frontalFrames: 0,
    },
    assurance: 'none',
    wouldFail: [],
  }
}
