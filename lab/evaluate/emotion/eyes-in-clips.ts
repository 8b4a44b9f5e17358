import type { Row } from '#lab/csv.ts'
import { type DataSet, filesOf, pathOf } from '#lab/evaluate/data-set.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import { type Clips, framesPerSecond } from '#lab/evaluate/running/clips.ts'
import { signalsOf, wantedForSignals } from '../../../models/rules/signals.ts'

/** How eyesOnScreen was answered in the frames of one kind of segment. */
export interface EyesInClips {
  readonly action: string
  readonly clips: number
  readonly yes: number
  readonly untold: number
  readonly no: number
}

/** How many seconds at either end of a segment are skipped because the head is still moving. */
const rim = 0.25
/** More frames than any clip has. */
const everyFrame = 10_000

interface EyesInClip {
  readonly file: string
  readonly action: string
  readonly answer: boolean | null
}

/**
 * Evaluates eyesOnScreen on clips whose segments.csv labels what people do. Frames from the same clip are very similar, so a handful of clips can
 * only show that the rule is sound.
 */
export async function eyesInClips(set: DataSet, bench: Bench, clips: Clips): Promise<EyesInClips[]> {
  const segments = set.tables.segments ?? []
  const seen: EyesInClip[] = []
  for (const file of filesOf(set).filter((name) => segments.some((segment) => segment.file === name))) {
    const frames = (await clips.frames(pathOf(set, file), everyFrame)) ?? []
    const inSegments = frames.flatMap((frame, i) => {
      const action = actionAt((i + 0.5) / framesPerSecond, file, segments)
      return action === undefined ? [] : [{ frame, action }]
    })
    const answers = await bench.map(inSegments, file, async ({ frame, action }) => {
      const analysis = await bench.analyse(frame, { ...wantedForSignals, group: false })
      return { file, action, answer: signalsOf(analysis?.face).eyesOnScreen }
    })
    seen.push(...answers)
  }
  return [...new Set(seen.map(({ action }) => action))].map((action) => countsOf(action, seen))
}

function actionAt(seconds: number, file: string, segments: readonly Row[]): string | undefined {
  return segments.find(
    (one) =>
      one.file === file &&
      seconds >= Number(one.startSeconds) + rim &&
      seconds <= Number(one.endSeconds) - rim,
  )?.action
}

function countsOf(action: string, seen: readonly EyesInClip[]): EyesInClips {
  const ofAction = seen.filter((one) => one.action === action)
  const count = (answer: boolean | null) => ofAction.filter((one) => one.answer === answer).length
  const clips = new Set(ofAction.map(({ file }) => file)).size
  return { action, clips, yes: count(true), untold: count(null), no: count(false) }
}
