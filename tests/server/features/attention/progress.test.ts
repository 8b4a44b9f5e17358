import { expect, test } from 'vitest'
import type { Condition } from '#server/features/attention/condition.ts'
import { advance, type Progress } from '#server/features/attention/progress.ts'

const minute = 60_000
const start = 1_800_000_000_000
const failing: Condition = {
  kind: 'endpointFailing',
  subject: { type: 'endpoint', id: 'e' },
  since: start - 10 * minute,
}

/** The events sent at each of these minutes, in which the condition holds or does not. */
function sent(...looks: readonly (readonly [minute: number, holds: boolean])[]) {
  let progress: Progress | undefined
  return looks.flatMap(([at, holds]) => {
    const { next, sends } = advance(progress, holds ? failing : undefined, start + at * minute)
    progress = next
    return sends === null ? [] : [`${sends} ${at}`]
  })
}

test('a condition is reported after it held for 5 minutes, and its end after it was gone for 30', () => {
  expect(sent([0, true], [4, true], [5, true], [6, true], [20, false], [49, false], [50, false])).toEqual([
    'begun 5',
    'ended 50',
  ])
})

test('a break of either starts the time again', () => {
  expect(sent([0, true], [4, true], [4.5, false], [5, true], [9, true], [10, true])).toEqual(['begun 10'])
  expect(sent([0, true], [5, true], [20, false], [40, true], [60, false], [80, false], [90, false])).toEqual([
    'begun 5',
    'ended 90',
  ])
})

test('a condition begins at most once an hour', () => {
  const gone = [6, 36].map((at) => [at, false] as const)
  expect(sent([0, true], [5, true], ...gone, [37, true], [42, true], [64, true], [65, true])).toEqual([
    'begun 5',
    'ended 36',
    'begun 65',
  ])
})

test('a reported condition keeps the time since which it holds', () => {
  const first = advance(undefined, failing, start).next
  const begun = advance(first, failing, start + 5 * minute).next
  const later = advance(begun, { ...failing, since: start }, start + 6 * minute).next
  expect(later?.since).toBe(failing.since)
})

test('a condition that does not know its beginning holds since it was first seen', () => {
  const full: Condition = { kind: 'storeFull', subject: { type: 'store', id: 'store' }, since: start }
  const first = advance(undefined, full, start).next
  const begun = advance(first, { ...full, since: start + 5 * minute }, start + 5 * minute)
  expect(begun).toMatchObject({ sends: 'begun', next: { since: start } })
})

test('nothing is remembered of a condition that is over', () => {
  expect(advance(undefined, undefined, start)).toEqual({ next: undefined, sends: null })
  const seen = advance(undefined, failing, start).next
  expect(advance(seen, undefined, start + minute).next).toBeUndefined()
})
