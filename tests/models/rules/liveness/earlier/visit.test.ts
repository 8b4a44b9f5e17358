import { describe, expect, test } from 'vitest'
import { visitOf } from '#models/rules/liveness/earlier/visit.ts'
import { frameOf } from '../../../../support/drawn/observations.ts'

describe('the record of a visit', () => {
  const frame = (step: number, level: number) => frameOf({ step, rim: [level, 2 * level], luminance: level })

  test('contains the scene of the straight look: the median of its pictures', () => {
    const frames = [frame(0, 50), frame(0, 60), frame(0, 200), frame(1, 90)]
    expect(visitOf(frames, null).scene).toEqual({ rim: [60, 120], luminance: 60 })
    expect(visitOf(frames.slice(3), null).scene).toEqual({ rim: [90, 180], luminance: 90 })
  })

  test('contains no scene if liveness was not analysed', () => {
    expect(visitOf([frameOf()], null)).toEqual({ scene: null, face: null })
  })
})
