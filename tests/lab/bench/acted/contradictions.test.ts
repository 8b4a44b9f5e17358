import { describe, expect, test } from 'vitest'
import { countHints, type TrueFace } from '#lab/bench/acted/contradictions.ts'
import type { Moment } from '../../../../e2e/support/acted/witness.ts'

const face: TrueFace = { width: 0.4, height: 0.5, x: 0, y: 0, aspect: 4 / 3 }
const every = 50

/** A single look that lasts the given number of milliseconds. */
function during(milliseconds: number, look: Partial<Moment>): Partial<Moment>[] {
  return Array.from({ length: milliseconds / every }, () => look)
}

function moments(looks: readonly Partial<Moment>[]): Moment[] {
  const plain = { state: 'align', step: null, heading: '', hint: null, seconds: null, isStraight: true }
  return looks.map((look, i) => ({ ...plain, at: i * every, ...look }))
}

const count = (looks: readonly Partial<Moment>[], isLit = true) => countHints(moments(looks), face, isLit)
const at = (size: number, right = 0, down = 0) => ({ place: { size, right, down } })

/** One second without a hint, followed by one second with a hint. */
const told = (hint: string, place: Partial<Moment>) => [
  ...during(1000, place),
  ...during(1000, { hint, ...place }),
]

describe('a hint is contradicted', () => {
  test.each([
    ['closer', at(1.12), 0],
    ['closer', at(1.13), 1],
    ['back', at(1.38), 0],
    ['back', at(1.37), 1],
    ['toLeft', at(1, -0.11), 0],
    ['toLeft', at(1, -0.09), 1],
    ['toRight', at(1, 0.11), 0],
    ['toRight', at(1, 0.09), 1],
    ['up', at(1, 0, 0.11), 0],
    ['up', at(1, 0, 0.09), 1],
    ['down', at(1, 0, -0.11), 0],
    ['down', at(1, 0, -0.09), 1],
    ['intoPicture', at(1, 0, 0.23), 0],
    ['intoPicture', at(1, 0, 0.21), 1],
    ['showFace', at(1, 0, 0.26), 0],
    ['showFace', at(1, 0, 0.24), 1],
    ['showFace', at(0.24), 0],
    ['onePerson', at(1), 1],
    ['still', at(1), 0],
  ])('%s if the face is %j: %d', (hint, place, wrong) => {
    const counted = count(told(hint, place))
    expect(counted.shown).toEqual({ [hint]: 1 })
    expect(counted.wrong).toEqual(wrong === 0 ? {} : { [hint]: 1 })
  })

  test('tooDark in the usual light only', () => {
    expect(count(told('tooDark', at(1))).wrong).toEqual({ tooDark: 1 })
    expect(count(told('tooDark', at(1)), false).wrong).toEqual({})
  })
})

describe('a hint is not contradicted', () => {
  test('if the person has only just moved there', () => {
    const coming = [
      ...during(1000, at(0.5)),
      ...during(400, at(1.2)),
      ...during(1000, { hint: 'closer', ...at(1.2) }),
    ]
    expect(count(coming).wrong).toEqual({})
  })

  test('as long as it takes to read it', () => {
    const reading = (milliseconds: number) =>
      count([...during(1000, at(0.5)), ...during(milliseconds, { hint: 'closer', ...at(1.2) })]).wrong
    expect(reading(1800)).toEqual({})
    expect(reading(2000)).toEqual({ closer: 1 })
  })

  test('during an action that asks for a size', () => {
    const looks = told('closer', at(1.2)).map((look) => ({ ...look, state: 'action' }))
    expect(count(looks)).toEqual({ shown: { closer: 1 }, wrong: {} })
  })

  test('while the head is turned', () => {
    const looks = told('toLeft', at(1)).map((look) => ({ ...look, isStraight: false }))
    expect(count(looks)).toEqual({ shown: { toLeft: 1 }, wrong: {} })
  })
})

test('each appearance counts', () => {
  const twice = [...told('closer', at(0.5)), ...told('closer', at(0.5))]
  expect(count(twice).shown).toEqual({ closer: 2 })
})
