import { describe, expect, test } from 'vitest'
import { withBlock } from '#lab/evaluate/calibration/card.ts'
import { Figures, flatten } from '#lab/evaluate/figures.ts'
import { clusterBootstrap, groupBy } from '#lab/statistics/bootstrap.ts'
import { mean, quantile } from '#lab/statistics/quantile.ts'
import { auc, equalErrorRate, shareFrom } from '#lab/statistics/roc.ts'
import { wilson } from '#lab/statistics/wilson.ts'

describe('intervals', () => {
  test("Wilson's are those of the textbook", () => {
    const { low, high } = wilson(8, 10)
    expect(low).toBeCloseTo(0.4902, 3)
    expect(high).toBeCloseTo(0.9433, 3)
    expect(wilson(0, 20).low).toBe(0)
    expect(wilson(0, 20).high).toBeCloseTo(0.1611, 3)
  })

  test('over clusters are wider than those over the same number of single cases', () => {
    const singles = Array.from({ length: 200 }, (_, i) => [i % 2])
    const clusters = Array.from({ length: 10 }, (_, i) => Array.from({ length: 20 }, () => i % 2))
    const width = (cases: number[][]) => {
      const { low, high } = clusterBootstrap(cases, mean)!
      return high - low
    }
    expect(width(clusters)).toBeGreaterThan(3 * width(singles))
    expect(clusterBootstrap(clusters, mean)).toEqual(clusterBootstrap(clusters, mean))
    expect(clusterBootstrap([[1, 2]], mean)).toBeUndefined()
  })
})

describe('curves', () => {
  test('the area is the share of pairs in the right order', () => {
    expect(auc({ positive: [3, 4], negative: [1, 2] })).toBe(1)
    expect(auc({ positive: [1, 2], negative: [3, 4] })).toBe(0)
    expect(auc({ positive: [1, 3], negative: [2, 4] })).toBe(0.25)
    expect(auc({ positive: [1, 1], negative: [1, 1] })).toBe(0.5)
  })

  test('the equal error rate is where both errors meet', () => {
    expect(equalErrorRate({ positive: [3, 4], negative: [1, 2] })).toBe(0)
    expect(equalErrorRate({ positive: [1, 3, 4, 5], negative: [0, 1, 2, 3.5] })).toBeCloseTo(0.25, 5)
    expect(equalErrorRate({ positive: [], negative: [1] })).toBeNaN()
  })

  test('a share includes values on the threshold', () => {
    expect(shareFrom([1, 2, 3, 4], 3)).toBe(0.5)
    expect(shareFrom([1, 2, 3, 4], 5)).toBe(0)
  })

  test('quantiles are linear between values', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
    expect(quantile([], 0.5)).toBeNaN()
  })

  test('groups keep their order', () => {
    expect([...groupBy(['b1', 'a1', 'b2'], (one) => one[0]!)]).toEqual([
      ['b', ['b1', 'b2']],
      ['a', ['a1']],
    ])
  })
})

describe('figures', () => {
  test('are flat, with their counts and bounds', () => {
    const figures = new Figures()
    figures.rate('recall', 8, 10)
    figures.count('falsePositives', 2, 80)
    const flat = flatten('set', figures)
    expect(flat['set.recall']).toBe(0.8)
    expect(flat['set.recall.n']).toBe(10)
    expect(flat['set.recall.low']).toBeCloseTo(0.4902, 3)
    expect(flat['set.falsePositives']).toBe(2)
    expect(flat).not.toHaveProperty('set.falsePositives.low')
  })

  test('that could not be measured are left out', () => {
    const figures = new Figures()
    figures.rate('recall', 0, 0)
    figures.add('eer', Number.NaN, 5)
    expect(figures.all).toEqual([])
  })
})

describe('the block of a card', () => {
  test('is appended at first, and later replaced in its place', () => {
    const once = withBlock('# card\n', 'age', 'one')
    expect(once).toBe('# card\n\n<!-- calibration age -->\none\n<!-- /calibration age -->\n')
    expect(withBlock(`${once}\nmore\n`, 'age', 'two')).toBe(`${once.replace('one', 'two')}\nmore\n`)
  })
})
