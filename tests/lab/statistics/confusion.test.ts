import { describe, expect, test } from 'vitest'
import { type Answer, accuracyOf, confusionOf, macroF1Of } from '#lab/statistics/confusion.ts'

type Pet = 'cat' | 'dog' | 'owl'
const answers = (...list: readonly (readonly [Pet, Pet | undefined])[]): Answer<Pet>[] =>
  list.map(([truth, answer]) => ({ truth, answer }))

/** Cats: 2 of 3 right. Dogs: 1 of 2 right, the other was not answered. */
const some = answers(['cat', 'cat'], ['cat', 'cat'], ['cat', 'dog'], ['dog', 'dog'], ['dog', undefined])

describe('answers of several classes', () => {
  test('have an accuracy; no answer counts as wrong', () => {
    expect(accuracyOf(some)).toBeCloseTo(3 / 5)
  })

  test('have the mean F1 of the classes that occur', () => {
    // Cats: 2 * 2 / (3 shown + 2 answered); dogs: 2 * 1 / (2 shown + 2 answered).
    expect(macroF1Of(some)).toBeCloseTo((4 / 5 + 2 / 4) / 2)
  })

  test('count a class that is never predicted as 0, and ignore one that never occurs', () => {
    expect(macroF1Of(answers(['cat', 'cat'], ['dog', 'owl']))).toBeCloseTo(1 / 2)
  })

  test('form a table, with missing answers in a separate column', () => {
    expect(confusionOf(some, ['dog', 'cat', 'owl'])).toEqual([
      { truth: 'dog', answered: [1, 0, 0], unanswered: 1 },
      { truth: 'cat', answered: [1, 2, 0], unanswered: 0 },
    ])
  })
})
