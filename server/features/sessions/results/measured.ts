import { clipIsLiveFrom } from '#models/rules/liveness/liveness-fusion.ts'
import { samePerson } from '#models/rules/same-person.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { defaultReferenceThreshold } from '#shared/contract/configuration/reference-verifier.ts'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'

type Measured = NonNullable<SessionTimeline['measured']>
type Score = Measured['scores'][number]

/** As old as anybody becomes, for a scale. */
const mostYears = 100

/** What a verdict was made of, next to its limits; null where nobody was judged. Pure. */
export function measuredOf({ outcome, settings }: SessionRecord): Measured | null {
  if (outcome === null || outcome.evidence.frames === 0) return null
  const { evidence, result } = outcome
  const { verifiers } = settings
  const score = (name: Score['name'], value: number | null | undefined, limit: number | null, most = 1) =>
    value === null || value === undefined ? [] : [{ name, value: rounded(value), limit, most }]
  const isLooked = verifiers.liveness?.type === 'Verification'
  const { type = 'Disabled', threshold = defaultReferenceThreshold } = verifiers.reference ?? {}
  return {
    scores: [
      ...score('living', evidence.passiveScore, isLooked ? clipIsLiveFrom : null),
      ...score('sameFace', evidence.leastLikeness, samePerson.moving),
      ...score('age', result.estimatedAge, ageLimitOf(verifiers.age), mostYears),
      ...score('reference', result.referenceSimilarity, type === 'Verification' ? threshold : null, 100),
    ],
    cues: evidence.cues.map(({ name, answer }) => ({ name, answer })),
    pictures: evidence.frames,
    straightPictures: evidence.frontalFrames,
  }
}

function ageLimitOf(age: SessionRecord['settings']['verifiers']['age']): number | null {
  if (age?.type === 'ThresholdVerification') return age.thresholdConfig?.threshold ?? null
  return age?.type === 'RangeVerification' ? (age.rangeConfig?.minimum ?? null) : null
}

function rounded(value: number): number {
  return Math.max(0, Number(value.toFixed(3)))
}
