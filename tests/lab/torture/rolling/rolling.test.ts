import { expect, test } from 'vitest'
import { lostNothing, rollingPlans } from '#lab/torture/rolling/rolling.ts'

const whole = {
  'rolling.visits finished': 40,
  'rolling.visits lost': 0,
  'rolling.results missing': 0,
  'rolling.requests without an answer': 0,
  'rolling.processes replaced': 3,
  'rolling.stops that failed': 0,
  'rolling.backups': 1,
}

test.each([
  ['every visit came to its result', {}, true],
  ['a visit was lost', { 'rolling.visits lost': 1 }, false],
  ['a result is missing', { 'rolling.results missing': 1 }, false],
  ['a request got no answer', { 'rolling.requests without an answer': 1 }, false],
  ['a server did not stop in order', { 'rolling.stops that failed': 1 }, false],
  ['a server was not replaced', { 'rolling.processes replaced': 2 }, false],
  ['there is no backup', { 'rolling.backups': 0 }, false],
  ['nobody visited', { 'rolling.visits finished': 0 }, false],
])('if %s, nothing was lost: %s', (_name, changed, expected) => {
  expect(lostNothing({ ...whole, ...changed }, rollingPlans.short)).toBe(expected)
})
