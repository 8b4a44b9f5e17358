import { clipIsLiveFrom } from '#models/rules/liveness/liveness-fusion.ts'
import { samePerson } from '#models/rules/same-person.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { defaultReferenceThreshold } from '#shared/contract/configuration/reference-verifier.ts'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'

type Measurements = NonNullable<SessionTimeline['measured']>
type Score = Measurements['scores'][number]

/** The upper end of an age scale. */
const mostYears = 100

/** The measurements behind a verdict, with their limits; null if the session was not judged. Pure. */
export function measuredOf({ outcome, settings }: SessionRecord): Measurements | null {
  if (outcome === null || outcome.evidence.frames === 0) return null
  const { evidence, result } = outcome
  const { verifiers } = settings
  const score = (name: Score['name'], value: number | null | undefined, limit: number | null, most = 1) =>
    value === null || value === undefined ? [] : [{ name, value: rounded(value), limit, most }]
  const isLooked = verifiers.liveness?.type === 'Verification'
  const { type = 'Disabled', threshold = defaultReferenceThreshold } = verifiers.reference ?? {}
  return {
    scores: [
      ...score('living', evidence.passiveScore, isLooked ? (evidence.passiveLimit ?? clipIsLiveFrom) : null),
      ...score('sameFace', evidence.leastLikeness, evidence.likenessLimit ?? samePerson.moving),
      ...score('age', result.estimatedAge, ageLimitOf(verifiers.age, result.estimatedAge), mostYears),
      ...score('reference', result.referenceSimilarity, type === 'Verification' ? threshold : null, 100),
    ],
    cues: evidence.cues.map(({ name, answer }) => ({ name, answer })),
    pictures: evidence.frames,
    straightPictures: evidence.frontalFrames,
  }
}

/** In years: the threshold with its margin, or the nearer end of a range; null if there is none. */
function ageLimitOf(age: SessionRecord['settings']['verifiers']['age'], estimated = 0): number | null {
  if (age?.type === 'ThresholdVerification') {
    const { threshold, marginInYears, direction } = age.thresholdConfig ?? {}
    const margin = (marginInYears ?? 0) * (direction === 'Below' ? -1 : 1)
    return threshold === undefined || threshold === null ? null : threshold + margin
  }
  if (age?.type !== 'RangeVerification') return null
  const ends = [age.rangeConfig?.minimum, age.rangeConfig?.maximum].flatMap((end) => end ?? [])
  return ends.toSorted((a, b) => Math.abs(a - estimated) - Math.abs(b - estimated))[0] ?? null
}

function rounded(value: number): number {
  return Number(value.toFixed(3))
}
