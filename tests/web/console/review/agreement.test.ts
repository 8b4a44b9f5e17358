import { expect, test } from 'vitest'
import { agreementWords } from '#web/console/review/agreement.ts'
import { en } from '#web/console/wording/en.ts'

const none = { secondOpinions: 0, agreed: 0, passedThenFailed: 0, failedThenPassed: 0 }

test('the rate is shown with its counts, and each direction in which reviewers differ', () => {
  expect(
    agreementWords({ secondOpinions: 8, agreed: 6, passedThenFailed: 2, failedThenPassed: 0 }, en),
  ).toEqual([
    'A second reviewer agreed with 6 of 8 decisions: 75%.',
    'Decided as Pass, but the second reviewer would have chosen Fail: 2.',
  ])
  expect(
    agreementWords({ secondOpinions: 1, agreed: 0, passedThenFailed: 0, failedThenPassed: 1 }, en),
  ).toEqual([
    'A second reviewer agreed with 0 of 1 decisions: 0%.',
    'Decided as Fail, but the second reviewer would have chosen Pass: 1.',
  ])
})

test('without second opinions there is no rate', () => {
  expect(agreementWords(none, en)).toEqual(['No second opinions in these days.'])
})
