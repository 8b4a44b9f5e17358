import type { Row } from '#lab/csv.ts'
import { Figures } from '#lab/evaluate/figures.ts'
import { personOf } from '#lab/evaluate/part.ts'
import { attackOf } from '#lab/evaluate/running/judged-picture.ts'
import {
  type Face,
  fairFaces,
  type Point,
  type Recording,
  scoreOfRecording,
} from '#lab/evaluate/running/recordings.ts'
import { type LiveLimits, liveLimits } from '../../../models/rules/liveness/live-limits.ts'
import { liveScore } from '../../../models/rules/liveness/live-score.ts'
import { isLiveRecording } from '../../../models/rules/liveness/liveness-fusion.ts'
import { judgeLiveness } from '../../../models/rules/liveness/picture-liveness.ts'
import type { Vote } from './people-limit.ts'

/** A presentation and its liveness score. It contains no names of people or files. */
export interface ScoredPresentation {
  /** The kind of attack, or undefined for a living person. */
  readonly attack: string | undefined
  readonly person: string
  /** The score, 0...1. It is 0 if no picture could be judged. */
  readonly score: number
  /** The product's decision. */
  readonly isLive: boolean
  readonly fairFrames: number
  readonly kind: Recording['kind']
  /** For pictures. See screen.ts. */
  readonly darkSurround?: number
}

export type LivingScored = ScoredPresentation & Vote

/** A set's figures with the presentations that they are based on, which are needed to compute the figures over all sets. */
export class LivenessFigures extends Figures {
  readonly recordings: ScoredPresentation[] = []
  readonly pictures: ScoredPresentation[] = []
  readonly points: Point[] = []
  /** The limits for the networks that analysed the set. */
  limits: LiveLimits = liveLimits()
}

/** Judges a recording in the same way as a session's frames. */
export function scoredRecording({ row, kind, faces }: Recording): ScoredPresentation {
  const fair = fairFaces(faces)
  const score = scoreOfRecording(faces)
  return {
    attack: attackOf(row),
    person: personOf(row),
    score,
    isLive:
      fair.length > 0 &&
      isLiveRecording(
        score,
        fair.map(({ live }) => live),
      ),
    fairFrames: fair.length,
    kind,
  }
}

/** A single picture that is judged on its own. */
export function scoredPicture(row: Row, face: Face): ScoredPresentation {
  return {
    attack: attackOf(row),
    person: personOf(row),
    score: face?.live === undefined ? 0 : liveScore(face.live, face.quality.sharpness),
    isLive: face !== undefined && judgeLiveness(face).isLive,
    fairFrames: face === undefined ? 0 : 1,
    kind: 'picture',
    ...(face?.live?.darkSurround !== undefined && { darkSurround: face.live.darkSurround }),
  }
}

export function isAttack({ attack }: ScoredPresentation): boolean {
  return attack !== undefined
}

/** The living people used to derive limits: those in recordings with at least one picture that could be judged. Everyone else is asked again. */
export function livingOf(recordings: readonly ScoredPresentation[]): ScoredPresentation[] {
  return recordings.filter((one) => !isAttack(one) && one.kind !== 'picture' && one.fairFrames > 0)
}

/** The same for single pictures. */
export function livingPicturesOf(pictures: readonly ScoredPresentation[]): ScoredPresentation[] {
  return pictures.filter((one) => !isAttack(one) && one.fairFrames > 0)
}

/** In order of first appearance, for use in tables. */
export function attacksIn(scored: readonly ScoredPresentation[]): string[] {
  return [...new Set(scored.flatMap(({ attack }) => attack ?? []))]
}
