import { clusterBootstrap, groupBy } from '#lab/statistics/bootstrap.ts'
import { type Answer, accuracyOf, confusionOf, macroF1Of } from '#lab/statistics/confusion.ts'
import { type Expressions, expressionNames } from '../../models/rules/analysis.ts'
import type { DataSet } from './data-set.ts'
import { dominantOf } from './emotion/emotion-label.ts'
import { countFlag, flags } from './emotion/flag-counts.ts'
import { type SeenExpression, seeExpressions } from './emotion/seen-expressions.ts'
import { Figures } from './figures.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

/**
 * The expression of a face as returned by emotion-attention/detect: seven expressions, plus the API's flags. If no face is found in a picture, this
 * counts as a wrong answer and as unanswered flags.
 */
export const emotion: Task = {
  name: 'emotion',
  summary: 'expressions: accuracy, macro-F1, confusion; flags: precision, recall, coverage',
  async evaluate(set: DataSet, bench: Bench): Promise<Figures> {
    const figures = new Figures()
    if (!set.columns.has('emotion')) return figures
    const seen = await seeExpressions(set, bench)
    addExpressions(figures, seen)
    addFlags(figures, seen)
    figures.rate('noFace', seen.filter(({ expressions }) => expressions === undefined).length, seen.length)
    return figures
  },
}

type Expression = keyof Expressions
type JudgedExpression = Answer<Expression> & { readonly person: string }

function addExpressions(figures: Figures, seen: readonly SeenExpression[]): void {
  const judged = seen.flatMap(({ emotion, expressions, person }): JudgedExpression[] =>
    emotion === undefined || emotion === 'contempt'
      ? []
      : [{ truth: emotion, answer: expressions && dominantOf(expressions), person }],
  )
  if (judged.length === 0) return
  const clusters = [...groupBy(judged, ({ person }) => person).values()]
  figures.add('accuracy', accuracyOf(judged), judged.length, clusterBootstrap(clusters, accuracyOf))
  figures.add('macroF1', macroF1Of(judged), judged.length, clusterBootstrap(clusters, macroF1Of))
  const withFace = judged.filter(({ answer }) => answer !== undefined)
  figures.rate(
    'accuracyOfFaces',
    withFace.filter(({ truth, answer }) => truth === answer).length,
    withFace.length,
  )
  figures.table({
    title: 'Actual expression (rows) and predicted expression',
    columns: ['', ...expressionNames, 'no face'],
    rows: confusionOf(judged, expressionNames).map(({ truth, answered, unanswered }) => [
      truth,
      ...answered,
      unanswered,
    ]),
  })
  const contempt = seen.filter(({ emotion }) => emotion === 'contempt').length
  if (contempt > 0)
    figures.note(
      `${contempt} pictures of contempt are excluded from accuracy and macroF1, because no network recognises it. They count for the flags.`,
    )
}

/** Precision of the true and false answers, recall among pictures that show it, and coverage of all pictures. */
function addFlags(figures: Figures, seen: readonly SeenExpression[]): void {
  const untested: string[] = []
  for (const flag of flags) {
    const { pictures, answered, shown, yes, rightYes, no, rightNo } = countFlag(flag, seen)
    figures.rate(`${flag}.precision`, rightYes, yes)
    figures.rate(`${flag}.precisionOfFalse`, rightNo, no)
    figures.rate(`${flag}.recall`, rightYes, shown)
    figures.rate(`${flag}.coverage`, answered, pictures)
    if (shown + yes + no === 0) untested.push(flag)
  }
  if (untested.length > 0)
    figures.note(`The labels do not cover ${untested.join(', ')}: only the coverage of these is given.`)
}
