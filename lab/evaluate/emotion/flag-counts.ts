import { expressionOfFlag, noSignals, type Signals } from '../../../models/rules/signals.ts'
import type { SeenExpression } from './seen-expressions.ts'

export type Flag = keyof Signals
export const flags = Object.keys(noSignals) as Flag[]

/** Counts of the answers for one flag. */
export interface FlagCounts {
  readonly pictures: number
  /** The number of pictures answered with true or false. */
  readonly answered: number
  /** Only those with a known truth: */
  readonly shown: number
  readonly yes: number
  readonly rightYes: number
  readonly no: number
  readonly rightNo: number
}

export function countFlag(flag: Flag, seen: readonly SeenExpression[]): FlagCounts {
  const knowsContempt = seen.some(({ emotion }) => emotion === 'contempt')
  const answers = seen.map((one) => ({
    answer: one.signals[flag],
    truth: truthOf(flag, one, knowsContempt),
  }))
  const known = answers.filter(({ truth }) => truth !== undefined)
  const count = (wanted: boolean, truth?: boolean) =>
    known.filter((one) => one.answer === wanted && (truth === undefined || one.truth === truth)).length
  return {
    pictures: answers.length,
    answered: answers.filter(({ answer }) => answer !== null).length,
    shown: known.filter(({ truth }) => truth === true).length,
    yes: count(true),
    rightYes: count(true, true),
    no: count(false),
    rightNo: count(false, false),
  }
}

/**
 * True if a picture shows what a flag means, based on a column named after the flag (1 or 0), or else on the emotion. Undefined if the labels
 * leave it open, because a set without contempt may file it under a different name.
 */
function truthOf(flag: Flag, { row, emotion }: SeenExpression, knowsContempt: boolean): boolean | undefined {
  const label = row[flag]
  if (label === '1' || label === '0') return label === '1'
  if (emotion === undefined) return undefined
  if (flag === 'hasFace' || flag === 'presence') return true
  if (flag === 'contempt') return knowsContempt ? emotion === 'contempt' : undefined
  return isExpressionFlag(flag) ? emotion === expressionOfFlag[flag] : undefined
}

function isExpressionFlag(flag: Flag): flag is keyof typeof expressionOfFlag {
  return Object.hasOwn(expressionOfFlag, flag)
}
