import type { Analysis } from '#models/rules/analysis.ts'
import { actionsToPerform } from '#models/rules/liveness/session-liveness.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { Evidence, Verdict } from '#models/rules/verdict.ts'
import type { AnalysisService } from '#server/analysis/analysis-service.ts'
import type { Ports } from '#server/services.ts'
import { emptyVerdict } from '#server/sessions/results/outcome.ts'
import { Problem } from '#shared/problem.ts'
import { seenIn } from '../seen.ts'
import { type Scene, sceneOf } from './fake-picture.ts'

type Seen = Observation & { scene: Scene }

/** An analysis that reads the scene out of a fake picture, in no time. */
export function createFakeAnalysis(): AnalysisService & { calls: number } {
  return {
    calls: 0,
    parallel: 2,
    async analyse(picture, wanted) {
      this.calls++
      const scene = sceneOf(picture)
      if (scene === undefined) throw new Problem('unreadable_image', 'The picture could not be read.')
      return { scene, ...seenIn(scene, wanted) } as Analysis
    },
    close: async () => {},
  }
}

/** A judge with simple rules, so that the tests of a session are about the session. */
export const fakeJudge: Ports['judge'] = {
  observe: (analysis, meta) => {
    const { scene } = analysis as unknown as { scene: Scene }
    return { ...meta, scene } as unknown as Observation
  },
  judgeStep: (asked, _record, _before, during) => {
    const acted = during.flatMap((observation) => (observation as Seen).scene.acted ?? [])
    if (acted.length === 0) return { accepted: false, reason: 'notPerformed' }
    const accepted = acted.every((action) => action === asked)
    return { accepted, reason: accepted ? 'performed' : 'otherAction' }
  },
  decide,
}

function decide({ rules, steps, observations }: Evidence): Verdict {
  const seen = observations as readonly Seen[]
  const people = new Set(seen.flatMap(({ scene }) => scene.person ?? []))
  const performed = steps.filter((step) => step.action !== null && step.accepted).length
  const [person] = people
  if (person === undefined) return emptyVerdict('noFace')
  const challengeFailed = performed < actionsToPerform(rules.challengeActionCount, steps)
  const isReused = seen.some(({ reused }) => reused !== 'none')
  const reasons = [
    ...(isReused ? (['livenessFailed'] as const) : []),
    ...(challengeFailed ? (['challengeFailed'] as const) : []),
    ...(people.size > 1 ? (['personChanged'] as const) : []),
  ]
  return {
    reasons,
    liveness: rules.liveness ? (reasons.length === 0 ? 'Pass' : 'Fail') : 'NotExecuted',
    age: rules.age.type === 'Disabled' ? 'NotExecuted' : 'Pass',
    gender: rules.gender ? 'Pass' : 'NotExecuted',
    estimatedAge: rules.age.type === 'Disabled' ? null : (seen[0]?.scene.age ?? 33.7),
    estimatedGender: rules.gender ? 'Female' : null,
    totalFaceCount: 1,
    portrait: embeddingOf(person),
    emotion: null,
    evidence: emptyVerdict('noFace').evidence,
  }
}

/** A unit vector of its own for each person. */
export function embeddingOf(person: string): number[] {
  const axis = [...person].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 512, 7)
  return Array.from({ length: 512 }, (_, i) => (i === axis ? 1 : 0))
}
