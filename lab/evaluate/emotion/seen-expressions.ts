import type { Row } from '#lab/csv.ts'
import { type DataSet, pathOf } from '#lab/evaluate/data-set.ts'
import { personOf } from '#lab/evaluate/part.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import type { Expressions } from '../../../models/rules/analysis.ts'
import { isGoodView, type Signals, signalsOf, wantedForSignals } from '../../../models/rules/signals.ts'
import { type Emotion, emotionOf } from './emotion-label.ts'

/** A labelled picture and the product's answer. */
export interface SeenExpression {
  readonly row: Row
  readonly person: string
  /** The labelled emotion. Undefined if it is not a known emotion. */
  readonly emotion: Emotion | undefined
  /** Undefined if no face was found. */
  readonly expressions: Expressions | undefined
  readonly isGood: boolean
  readonly signals: Signals
}

/** The answers of emotion-attention/detect for each of a set's pictures. Unreadable pictures are skipped. */
export async function seeExpressions(set: DataSet, bench: Bench): Promise<SeenExpression[]> {
  const seen = await bench.map(set.rows, set.name, async (row) => {
    const analysis = await bench.analyse(pathOf(set, row.file!), wantedForSignals)
    if (analysis === null) return undefined
    const { face } = analysis
    return {
      row,
      person: personOf(row),
      emotion: emotionOf(row.emotion),
      expressions: face?.expressions,
      isGood: face !== undefined && isGoodView(face),
      signals: signalsOf(face),
    }
  })
  return seen.filter((one) => one !== undefined)
}
