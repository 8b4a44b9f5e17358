import { expect, test } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { explain, placeOf } from '#web/console/core/explain.ts'
import { en } from '#web/console/wording/en.ts'

const words = en as never

test('an error without an answer is the network', () => {
  expect(explain(new TypeError('Failed to fetch'), words).title).toBe(en.problem.network.title)
})

test('a known code has its own text, with the errors listed', () => {
  const problem = Problem.at('#/verificationConfig/redirectConfig/passedUrl', 'Must be https.')
  expect(explain(problem, words)).toMatchObject({
    title: en.problem.code.invalid_request.title,
    details: [{ place: 'verificationConfig › redirectConfig › passedUrl', message: 'Must be https.' }],
  })
})

test('the time to wait is shown', () => {
  const problem = new Problem('too_many_requests', 'Slow down.', { retryAfterInSeconds: 12 })
  expect(explain(problem, words).advice).toContain('12 seconds')
})

test('an unknown code shows the server’s text, and an internal error the request id', () => {
  expect(explain(new Problem('sequence_used', 'It was used.'), words).advice).toBe('It was used.')
  const fault = explain(new Problem('internal_error', 'x', { requestId: 'r-1' }), words)
  expect([fault.title, fault.requestId]).toEqual([en.problem.overloaded.title, 'r-1'])
})

test.each([
  ['#/query/limit', 'limit'],
  ['#/a~1b/c~0d', 'a/b › c~d'],
  ['#/name', 'name'],
])('%s is read as %s', (pointer, place) => {
  expect(placeOf(pointer)).toBe(place)
})
