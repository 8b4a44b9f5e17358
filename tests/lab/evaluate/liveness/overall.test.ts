import { describe, expect, test } from 'vitest'
import { LivenessFigures, type ScoredPresentation } from '#lab/evaluate/liveness/liveness-figures.ts'
import { overall } from '#lab/evaluate/liveness/overall.ts'

const shown = (
  attack: string | undefined,
  score: number,
  person: string,
  over: Partial<ScoredPresentation> = {},
) => ({
  attack,
  score,
  person,
  isLive: true,
  fairFrames: 5,
  kind: 'clip' as const,
  ...over,
})

function figuresOf(...recordings: ScoredPresentation[]): LivenessFigures {
  const figures = new LivenessFigures()
  figures.recordings.push(...recordings)
  return figures
}

const people = Array.from({ length: 50 }, (_, i) => shown(undefined, 0.5 + i / 100, `living ${i}`))
const attacks = Array.from({ length: 20 }, (_, i) => shown('photo', 0.44 + i / 200, `${i}`))

describe('over all sets', () => {
  const all = overall([figuresOf(...people), figuresOf(...attacks, shown('mask', 0.9, 'm'))])

  test.each([
    // The limits are 0.50, 0.51 and 0.52, which reject none, one and two of fifty people.
    ['apcerAtBpcer1.photo', 8 / 20, 20],
    ['apcerAtBpcer3.photo', 6 / 20, 20],
    ['apcerAtBpcer5.photo', 4 / 20, 20],
    ['apcerAtBpcer1.mask', 1, 1],
  ])('%s is counted by hand', (name, value, n) => {
    const figure = all.get(name)!
    expect(figure).toMatchObject({ value, n })
    expect(figure.low).toBeLessThanOrEqual(value)
    expect(figure.high).toBeGreaterThanOrEqual(value)
  })

  test('presentations that cannot be judged, and single pictures, do not influence the limit', () => {
    const others = [
      shown(undefined, 0, 'x', { fairFrames: 0 }),
      shown(undefined, 0.01, 'y', { kind: 'picture' }),
    ]
    expect(overall([figuresOf(...people, ...others, ...attacks)]).get('limitAtBpcer1')).toMatchObject({
      value: 0.5,
      n: 50,
    })
  })

  test('no person is named', () => {
    expect(JSON.stringify({ ...all, recordings: [] })).not.toContain('living 3')
  })

  test('there are no figures without living people', () => {
    expect(overall([figuresOf(...attacks)]).all).toEqual([])
  })
})
