import { expect, test } from 'vitest'
import { evenly } from '#lab/attacks/people/portraits.ts'
import { defaultSeed, sessionOf } from '#lab/attacks/seeds.ts'

const people = Array.from({ length: 500 }, (_, index) => index)

test('the same seed selects the same people in the same order, and another seed selects others', () => {
  expect(evenly(people, 2)).toEqual(evenly(people, 2))
  const [first, second] = [evenly(people, 1).slice(0, 40), evenly(people, 2).slice(0, 40)]
  expect(second).not.toEqual(first)
  expect(second.filter((one) => first.includes(one)).length).toBeLessThan(20)
  expect(new Set(evenly(people, 2)).size).toBe(people.length)
})

test('two seeds share no session', () => {
  const sessions = [1, 2, 3].flatMap((seed) => [0, 1, 2, 9].map((session) => sessionOf(seed, session)))
  expect(new Set(sessions).size).toBe(sessions.length)
  expect(sessionOf(defaultSeed, 3)).toBe(3)
})
