import { describe, expect, test } from 'vitest'
import { type AnalysedPicture, createPace, efforts, thinned } from '#web/capture/analysis/pace/pace.ts'

/** A number of pictures of the same kind. */
type Pictures = readonly [count: number, taken: Partial<AnalysedPicture>]

/** The pace after these pictures, one kind after another. */
function paceOf(...given: readonly Pictures[]) {
  const pace = createPace()
  for (const [count, taken] of given)
    for (let i = 0; i < count; i++) pace.add({ took: 50, way: 1, isWhole: true, isLoaded: true, ...taken })
  return pace
}
const stepOf = (...given: readonly Pictures[]) => efforts.indexOf(paceOf(...given).effort())

describe('a device', () => {
  test.each<[number, string, Pictures[]]>([
    [0, 'manages all of it', [[20, { took: 119 }]]],
    [0, 'is not judged by four pictures', [[4, { took: 900 }]]],
    [
      0,
      'hung for a moment',
      [
        [20, {}],
        [6, { took: 2000 }],
        [20, {}],
      ],
    ],
    [1, 'is slow', [[20, { took: 121 }]]],
    [
      1,
      'is hardly faster for having less to do',
      [
        [20, { took: 130 }],
        [40, { took: 95 }],
      ],
    ],
    [
      0,
      'recovers',
      [
        [20, { took: 130 }],
        [40, { took: 85 }],
      ],
    ],
    [2, 'is very slow', [[20, { took: 260 }]]],
    [
      2,
      'is fast with half of the work, and slow with all of it',
      [
        [20, { took: 260 }],
        [30, { took: 100, isWhole: false }],
        [10, { took: 200 }],
      ],
    ],
    [
      1,
      'recovers somewhat',
      [
        [20, { took: 260 }],
        [12, { took: 170 }],
      ],
    ],
  ])('at step %i: one that %s', (step, _name, given) => {
    expect(stepOf(...given)).toBe(step)
  })

  test('does less with each step, but omits nothing that guides', () => {
    const wanted = { liveness: 'light', expression: 'light' } as const
    const seen = efforts.map((effort) =>
      [0, 1, 2, 3].map((picture) => thinned(wanted, effort, picture).liveness !== undefined),
    )
    expect(seen).toEqual([
      [true, true, true, true],
      [true, true, true, true],
      [true, false, false, true],
    ])
    expect(thinned(wanted, efforts[2]!, 1)).toEqual({ expression: 'light' })
    expect(efforts.map(({ shortSide }) => shortSide)).toEqual([undefined, 480, 480])
  })
})

describe('a browser copies pictures on their way', () => {
  test.each<[boolean, string, Pictures[]]>([
    [true, 'where each took long', [[8, { way: 9 }]]],
    [
      false,
      'not if one was fast: the machine is busy',
      [
        [7, { way: 30 }],
        [1, { way: 0.6 }],
        [7, { way: 30 }],
      ],
    ],
    [false, 'not before some were seen', [[7, { way: 9 }]]],
    [
      true,
      'and does so when they are small as well',
      [
        [8, { way: 9 }],
        [20, { way: 1 }],
      ],
    ],
  ])('%s: %s', (isCopying, _name, given) => {
    expect(paceOf(...given).isCopying()).toBe(isCopying)
  })
})

test('the pace is the median of the last pictures', () => {
  expect(paceOf([4, { took: 70 }]).typical()).toBe(0)
  expect(paceOf([30, { took: 70 }], [15, { took: 40 }]).typical()).toBe(40)
})

describe('a device is too slow', () => {
  test('only after ten pictures with all networks loaded', () => {
    expect(paceOf([9, { took: 4000 }]).isTooSlow()).toBe(false)
    expect(paceOf([10, { took: 4000 }]).isTooSlow()).toBe(true)
  })

  test('never because pictures waited for a network', () => {
    const waited = paceOf([200, { took: 4000, isLoaded: false }])
    expect(waited.isTooSlow()).toBe(false)
    expect(waited.typical()).toBe(0)
    expect(efforts.indexOf(waited.effort())).toBe(0)
  })
})
