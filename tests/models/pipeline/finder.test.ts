import { describe, expect, test } from 'vitest'
import { Picture } from '#models/picture/picture.ts'
import { byDominance } from '#models/pipeline/finder.ts'
import { grey } from '../../support/drawn/frames.ts'

const picture = new Picture(grey(640, 480, () => 128))
const face = (centreX: number, centreY: number, side: number, confidence = 0.9) => ({
  box: { x: centreX - side / 2, y: centreY - side / 2, width: side, height: side },
  confidence,
  keypoints: [],
})

describe('the dominant face', () => {
  test.each([
    ['the larger one', face(300, 240, 120), face(340, 240, 100)],
    ['the more central one', face(320, 240, 100), face(100, 80, 110)],
    ['the more certain one', face(300, 240, 100, 0.95), face(340, 240, 100, 0.6)],
    ['a much larger one at the edge', face(80, 240, 260), face(320, 240, 90)],
  ])('is %s', (_name, dominant, other) => {
    expect(byDominance([other, dominant], picture)[0]).toBe(dominant)
    expect(byDominance([dominant, other], picture)[0]).toBe(dominant)
  })
})
