import { isAhead, strays } from '#models/rules/challenge/performed.ts'
import { actionsPerformed, actionsToPerform, type StepRecord } from '#models/rules/challenge/step.ts'
import type { NeutralFace } from '#models/rules/face/neutral-face.ts'
import type { Observation, ObservedFace } from '#models/rules/observation.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { Cue } from './evidence/cue.ts'
import { isEvidenceMissing, isEvidenceSilent, isFilmForeign } from './evidence/demanded.ts'
import { isRefusedByCues } from './evidence/refusal.ts'
import type { TrailPoint } from './evidence/trail.ts'
import { liveScore } from './live-score.ts'
import { fuseLiveness, isLiveRecording } from './liveness-fusion.ts'
import { isOnePlace } from './scene.ts'
import { isOfEarlierTry, isPossibleTime, isRepeated } from './take.ts'

/** Findings against a living person, more detailed than the reasons that the API returns. */
export type Finding =
  | 'passiveScoreLow'
  | 'pictureReused'
  | 'sceneReused'
  | 'severalPlaces'
  | 'picturesRepeated'
  | 'timesImpossible'
  | 'actionsMissing'
  | 'movedBefore'
  | 'movedAfter'
  | 'cueBroken'
  | 'evidenceMissing'
  | 'evidenceSilent'
  | 'filmForeign'

/** The API reason for each finding. */
const reasonOf: Readonly<Record<Finding, FailedReason>> = {
  passiveScoreLow: 'livenessFailed',
  pictureReused: 'livenessFailed',
  sceneReused: 'livenessFailed',
  severalPlaces: 'livenessFailed',
  picturesRepeated: 'livenessFailed',
  timesImpossible: 'livenessFailed',
  actionsMissing: 'challengeFailed',
  movedBefore: 'challengeFailed',
  movedAfter: 'challengeFailed',
  cueBroken: 'livenessFailed',
  evidenceMissing: 'evidenceMissing',
  evidenceSilent: 'lowQuality',
  filmForeign: 'evidenceMissing',
}

/** The data used to judge liveness. */
export interface LivenessEvidence {
  readonly actionCount: number
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
  /** When the visit began. Defaults to when its first step was revealed. */
  readonly openedAt?: number | undefined
  /** The frames in which the face can be judged fairly. */
  readonly frontal: readonly Observation[]
  readonly neutral: NeutralFace | undefined
  readonly cues: readonly Cue[]
  /** The person's unit embedding, or two of them joined. Null if no frame was good enough. */
  readonly portrait: readonly number[] | null
  /** The film, if evidence is required. Undefined if evidence may be left out. */
  readonly demanded: readonly TrailPoint[] | undefined
  /** Digests of the pictures from earlier tries that were judged. Defaults to none. */
  readonly earlier?: readonly string[]
}

/** All findings against a living person who did as asked. They are independent of each other. If there is no face, liveness is not judged. */
export function findingsOf(seen: LivenessEvidence): Finding[] {
  const { steps, observations, frontal, neutral, demanded: trail } = seen
  const isMissing = trail !== undefined && isEvidenceMissing({ ...seen, trail })
  const speaks: Readonly<Record<Finding, boolean>> = {
    passiveScoreLow: isPassiveScoreLow(frontal),
    pictureReused: observations.some(({ reused }) => reused === 'same'),
    sceneReused: isSceneReused(observations),
    severalPlaces: !isOnePlace(observations),
    picturesRepeated: isRepeated(observations) || isOfEarlierTry(observations, seen.earlier ?? []),
    timesImpossible: !isPossibleTime(steps, observations),
    actionsMissing: actionsPerformed(steps) < actionsToPerform(seen.actionCount, steps),
    movedBefore: neutral !== undefined && movesBefore(seen, neutral),
    movedAfter: neutral !== undefined && movesAfterTheLast(seen, neutral),
    cueBroken: isRefusedByCues(seen.cues),
    evidenceMissing: isMissing,
    evidenceSilent: trail !== undefined && !isMissing && isEvidenceSilent(seen.cues),
    filmForeign: trail !== undefined && !isMissing && isFilmForeign({ ...seen, trail }),
  }
  const isSeen = observations.some(({ face }) => face !== null)
  return (Object.keys(speaks) as Finding[]).filter(
    (finding) => speaks[finding] && (isSeen || reasonOf[finding] === 'challengeFailed'),
  )
}

/** The distinct API reasons for some findings. */
export function reasonsOf(findings: readonly Finding[]): FailedReason[] {
  return [...new Set(findings.map((finding) => reasonOf[finding]))]
}

/** True if the frontal frames as a whole do not look live. False if there are none. */
export function isPassiveScoreLow(frontal: readonly Observation[]): boolean {
  const score = passiveScoreOf(frontal)
  const lives = frontal.map(({ face }) => face!.live)
  return score !== undefined && !isLiveRecording(score, lives)
}

/** The frontal frames' liveness score, 0...1. Undefined if there are none. */
export function passiveScoreOf(frontal: readonly Observation[]): number | undefined {
  return fuseLiveness(frontal.map(({ face }) => liveScoreOf(face!)))
}

/** The liveness score of one face, 0...1. Returns 0 if liveness was not analysed. */
export function liveScoreOf({ live, quality }: ObservedFace): number {
  return live === null ? 0 : liveScore(live, quality.sharpness)
}

/** A scene counts as reused if at least this many and this share of the pictures are similar. */
const similarPictures = { fewest: 3, share: 0.5 } as const

/**
 * True if half of the pictures show the same light on the same scene as pictures from another session. [Note: Ours] A single similar picture proves
 * nothing, since the same clip of the same person may be shown twice.
 */
function isSceneReused(observations: readonly Observation[]): boolean {
  const similar = observations.filter(({ reused }) => reused !== 'none').length
  return similar >= similarPictures.fewest && similar >= similarPictures.share * observations.length
}

/**
 * [Note: Before the first action comes none] The actions are not known in advance, and the page does not send pictures
 * while it waits for a straight look. A person who moves the head in this phase is probably a recording.
 */
function movesBefore({ actionCount, observations }: LivenessEvidence, neutral: NeutralFace): boolean {
  return actionCount > 0 && observations.some((frame) => frame.step === 0 && isAhead(frame, neutral))
}

/**
 * [Note: After the last action comes none] A recording that happens to show the requested action continues with others.
 * So the page asks for a straight look afterwards, and any other movement of the head in these frames counts.
 */
function movesAfterTheLast({ steps, observations }: LivenessEvidence, neutral: NeutralFace): boolean {
  const last = steps.at(-1)
  if (last === undefined || last.action === null) return false
  return observations
    .filter(({ step, receivedAt }) => step === last.step && receivedAt > last.answeredAt)
    .some((frame) => strays(frame, neutral, last.action!))
}
