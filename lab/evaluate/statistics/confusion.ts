/** What a case is, and what it was taken for; undefined where there was no answer. */
export interface Answer<T extends string> {
  readonly truth: T
  readonly answer: T | undefined
}

/** Share of the cases that were taken for what they are; no answer is a wrong one. */
export function accuracyOf(answers: readonly Answer<string>[]): number {
  return answers.filter(({ truth, answer }) => truth === answer).length / answers.length
}

/** The mean over the classes that occur of F1 = 2 right / (shown + answered). */
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

/** For each class that occurs, a row: how often it was taken for each of `names`, and how often for none. */
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
