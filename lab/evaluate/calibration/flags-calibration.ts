import { join } from 'node:path'
import type { Calibration } from '#lab/evaluate/calibration/calibration.ts'
import { readSets } from '#lab/evaluate/data-set.ts'
import { type EyesInClips, eyesInClips } from '#lab/evaluate/emotion/eyes-in-clips.ts'
import { type Share, thresholdsOf } from '#lab/evaluate/emotion/flag-thresholds.ts'
import { type SeenExpression, seeExpressions } from '#lab/evaluate/emotion/seen-expressions.ts'
import { halfOf } from '#lab/evaluate/part.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import { openClips } from '#lab/evaluate/running/clips.ts'
import { wilson } from '#lab/statistics/wilson.ts'
import {
  decide,
  type ExpressionFlag,
  expressionFlags,
  expressionOfFlag,
  type Limits,
} from '../../../models/rules/signals.ts'

interface LabelledExpression extends SeenExpression {
  readonly set: string
}

/** Calibrates the thresholds for flags that are derived from expressions on one half of the people, and measures them on the other half. */
export const calibrateFlags: Calibration = {
  name: 'flags',
  summary: 'at which shares of an expression happy, surprise and disgust are true and false',
  async calibrate(data, bench) {
    const seen: LabelledExpression[] = []
    for (const set of readSets(join(data, 'emotion'))) {
      for (const one of await seeExpressions(set, bench)) seen.push({ ...one, set: set.name })
    }
    const tuning = seen.filter(({ row }) => halfOf(row) === 'tuning')
    const values = Object.fromEntries(
      expressionFlags.map((flag) => [flag, thresholdsOf(sharesOf(flag, tuning))]),
    ) as Record<ExpressionFlag, Limits>
    const heldOut = seen.filter(({ row }) => halfOf(row) === 'held-out')
    const eyes = await eyesCard(data, bench)
    return {
      values,
      cards: { 'face-expression': cardOf(values, heldOut, tuning.length), ...(eyes && { 'fr-eye': eyes }) },
    }
  },
}

function sharesOf(flag: ExpressionFlag, seen: readonly LabelledExpression[]): Share[] {
  return seen.flatMap(({ set, emotion, expressions, isGood }) =>
    emotion === undefined || expressions === undefined || !isGood
      ? []
      : [{ set, value: expressions[expressionOfFlag[flag]], shown: emotion === expressionOfFlag[flag] }],
  )
}

function cardOf(
  values: Record<ExpressionFlag, Limits>,
  heldOut: readonly LabelledExpression[],
  tuned: number,
): string {
  const sets = [...new Set(heldOut.map(({ set }) => set))]
  const rows = expressionFlags.flatMap((flag) =>
    sets.map((set) =>
      rowOf(
        flag,
        values[flag],
        heldOut.filter((one) => one.set === set),
      ),
    ),
  )
  return `**As flags.** \`npm run calibrate -- flags\` chose the shares from ${tuned} pictures of one half of the people; this is the
other half (${heldOut.length} pictures, of which all count for coverage): how often true and false were right, with 95 % intervals.

| flag (true from, false up to) | set | true was right | false was right | told |
|---|---|---|---|---|
${rows.join('\n')}`
}

function rowOf(flag: ExpressionFlag, limits: Limits, seen: readonly LabelledExpression[]): string {
  const answers = sharesOf(flag, seen).map(({ value, shown }) => ({ answer: decide(value, limits), shown }))
  const right = (answer: boolean) => {
    const given = answers.filter((one) => one.answer === answer)
    return rateOf(given.filter(({ shown }) => shown === answer).length, given.length)
  }
  const answered = answers.filter(({ answer }) => answer !== null).length
  const name = `${flag} (${limits.yes ?? 'never'}, ${limits.no ?? 'never'})`
  return `| ${name} | ${seen[0]?.set} | ${right(true)} | ${right(false)} | ${rateOf(answered, seen.length)} |`
}

function rateOf(hits: number, n: number): string {
  if (n === 0) return '-'
  const { low, high } = wilson(hits, n)
  return `${hits} of ${n} (${low.toFixed(2)}-${high.toFixed(2)})`
}

/** Undefined if there is no clip with segments, or no decoder for it. */
async function eyesCard(data: string, bench: Bench): Promise<string | undefined> {
  const sets = readSets(join(data, 'liveness')).filter(({ tables }) => tables.segments !== undefined)
  const clips = sets.length === 0 ? undefined : await openClips()
  if (clips === undefined) return undefined
  const rows: EyesInClips[] = []
  for (const set of sets) rows.push(...(await eyesInClips(set, bench, clips)))
  await clips.close()
  const cells = rows.map(
    ({ action, clips, yes, untold, no }) => `| ${action} | ${clips} | ${yes} | ${untold} | ${no} |`,
  )
  return `**As the flag eyesOnScreen (experimental).** No set labels the direction of eyes. What the flag answered in the frames of a
few clips whose segments say what the head does; a replay on a screen is among them, and the lids are open throughout. The
mesh must agree that lids are closed, for the network alone is often wrong:

| segment | clips | true | null | false |
|---|---|---|---|---|
${cells.join('\n')}`
}
