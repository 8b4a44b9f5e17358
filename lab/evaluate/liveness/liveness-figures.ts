import type { Row } from '#lab/evaluate/csv.ts'
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

/** A presentation and its liveness score. Contains no name of a person or file. */
export interface Scored {
  /** The kind of attack; undefined for a living person. */
  readonly attack: string | undefined
  readonly person: string
  /** 0...1; 0 if no picture could be judged. */
  readonly score: number
  /** The product's decision. */
  readonly isLive: boolean
  readonly fairFrames: number
  readonly kind: Recording['kind']
  /** For pictures, see screen.ts. */
  readonly darkSurround?: number
}

export type LivingScored = Scored & Vote

/** The figures of a set with the presentations that they were counted on, which the figures over all sets need. */
export class LivenessFigures extends Figures {
  readonly recordings: Scored[] = []
  readonly pictures: Scored[] = []
  readonly points: Point[] = []
  /** Of the networks that analysed the set. */
  limits: LiveLimits = liveLimits()
}

/** Judges a recording in the same way as a session's frames. */
export function scoredRecording({ row, kind, faces }: Recording): Scored {
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

/** A picture that is judged alone. */
export function scoredPicture(row: Row, face: Face): Scored {
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

export function isAttack({ attack }: Scored): boolean {
  return attack !== undefined
}

/** The living people from whom limits are derived: those in recordings with a picture that could be judged. Others are asked again. */
export function livingOf(recordings: readonly Scored[]): Scored[] {
  return recordings.filter((one) => !isAttack(one) && one.kind !== 'picture' && one.fairFrames > 0)
}

/** The same for pictures that are judged alone. */
export function livingPicturesOf(pictures: readonly Scored[]): Scored[] {
  return pictures.filter((one) => !isAttack(one) && one.fairFrames > 0)
}

/** In order of first appearance, for the tables. */
export function attacksIn(scored: readonly Scored[]): string[] {
  return [...new Set(scored.flatMap(({ attack }) => attack ?? []))]
}
