/** A case's true class and its predicted class. Undefined if there was no answer. */
export interface Answer<T extends string> {
  readonly truth: T
  readonly answer: T | undefined
}

/** The share of correctly classified cases. No answer counts as wrong. */
export function accuracyOf(answers: readonly Answer<string>[]): number {
  return answers.filter(({ truth, answer }) => truth === answer).length / answers.length
}

/** The mean of F1 = 2 right / (shown + answered) over all classes that occur. */
export function macroF1Of(answers: readonly Answer<string>[]): number {
  const classes = [...new Set(answers.map(({ truth }) => truth))]
  const f1 = classes.map((name) => {
    const shown = answers.filter(({ truth }) => truth === name).length
    const answered = answers.filter(({ answer }) => answer === name).length
    const right = answers.filter(({ truth, answer }) => truth === name && answer === name).length
    return (2 * right) / (shown + answered)
  })
  return f1.reduce((sum, value) => sum + value, 0) / f1.length
}

/** One row for each class that occurs: how often it was classified as each of `names`, and how often as none of them. */
export function confusionOf<T extends string>(
  answers: readonly Answer<T>[],
  names: readonly T[],
): { truth: T; answered: number[]; unanswered: number }[] {
  return names
    .map((truth) => {
      const ofClass = answers.filter((one) => one.truth === truth)
      return {
        truth,
        answered: names.map((name) => ofClass.filter(({ answer }) => answer === name).length),
        unanswered: ofClass.filter(({ answer }) => answer === undefined).length,
      }
    })
    .filter(({ answered, unanswered }) => unanswered + answered.reduce((sum, n) => sum + n, 0) > 0)
}
