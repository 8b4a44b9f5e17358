import { join } from 'node:path'
import type { Calibration } from '#lab/evaluate/calibration/calibration.ts'
import { type DataSet, limited, readSets } from '#lab/evaluate/data-set.ts'
import { type HalfOfPeople, livenessCard } from '#lab/evaluate/liveness/liveness-card.ts'
import {
  livingOf,
  livingPicturesOf,
  type ScoredPresentation,
} from '#lab/evaluate/liveness/liveness-figures.ts'
import { limitForPeople } from '#lab/evaluate/liveness/people-limit.ts'
import { liveness } from '#lab/evaluate/liveness.ts'
import { partOf } from '#lab/evaluate/part.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import calibrated from '../../../models/calibration/liveness.json' with { type: 'json' }
import type { LiveLimits } from '../../../models/rules/liveness/live-limits.ts'
import { logistic, logit } from '../../../models/rules/liveness/logit.ts'

/** Photographs of living people without labelled attacks. They show who would be rejected by a limit. */
const livePhotographs = 'recognition/lfw'
const mostLivePhotographs = 400

/** The card of the network that a pack adds. */
const cardOf: Readonly<Record<string, string>> = { standard: 'fr-liveness', extended: 'minifasnet-v2' }

/**
 * The limits of liveness, each for its own decision: `clip` for recordings, `image` for pictures that are judged
 * alone. Both are set so that about 3 in 100 living people are refused (see `limitForPeople`), regardless of the
 * attacks that pass, minus the deviation of a short session. `screen` is the midpoint between the 95th percentile of
 * the photographs and the 5th of the videos, for the share of dark surroundings.
 */
export const livenessCalibration: Calibration = {
  name: 'liveness',
  needs: 'liveness',
  summary: 'from which score a picture and a recording are living, and when a spoof is a screen',
  async calibrate(data, bench) {
    const tuning = await halfOf(data, 'tuning', bench)
    const limits: LiveLimits = {
      image: limitForPeople(livingPicturesOf(tuning.pictures)),
      clip: forShortSessions(limitForPeople(livingOf(tuning.recordings))),
      screen: screenLimit(tuning.pictures),
    }
    const heldOut = await halfOf(data, 'held-out', bench)
    return {
      values: { ...calibrated, [bench.pack.name]: limits },
      cards: { [cardOf[bench.pack.name]!]: livenessCard(limits, tuning, heldOut) },
    }
  },
}

/**
 * In logits. Here, a recording covers an entire clip, while a session shows about six frames of a single moment, encoded once more. People acting in
 * front of a camera scored 0.7 to 1 lower in a session than over the whole clip.
 */
const shortSession = 1

function forShortSessions(limit: number): number {
  return Math.floor(100 * logistic(logit(limit) - shortSession)) / 100
}

/** The scores of all people in one half, over all sets. They do not depend on any limit. */
async function halfOf(data: string, part: 'tuning' | 'held-out', bench: Bench): Promise<HalfOfPeople> {
  const recordings: ScoredPresentation[] = []
  const pictures: ScoredPresentation[] = []
  for (const whole of [...readSets(join(data, 'liveness')), photographsIn(data)]) {
    const set = partOf(whole, part)
    const seen = await liveness.evaluate(set, bench, whole, { forGrid: false })
    recordings.push(...seen.recordings)
    pictures.push(...seen.pictures)
  }
  return { recordings, pictures }
}

function photographsIn(data: string): DataSet {
  const [set] = readSets(join(data, livePhotographs))
  const rows = set!.rows.map((row) => ({ ...row, label: 'live' }))
  return limited({ ...set!, rows, columns: new Set([...set!.columns, 'label']) }, mostLivePhotographs)
}

function screenLimit(pictures: readonly ScoredPresentation[]): number {
  const shares = (type: string) =>
    pictures.flatMap(({ attack, darkSurround }) => (attack === type ? (darkSurround ?? []) : []))
  return Number(((quantile(shares('photo'), 0.95) + quantile(shares('video'), 0.05)) / 2).toFixed(2))
}
