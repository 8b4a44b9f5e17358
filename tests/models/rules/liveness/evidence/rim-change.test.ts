import { describe, expect, test } from 'vitest'
import { rimChange } from '#models/rules/liveness/evidence/rim-change.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { roomOf, sightIn } from '../../../../support/drawn/surfaces.ts'

const room = roomOf(3)
const still = sightIn(room)

describe('surroundings', () => {
  test('that are the same leave no residue, even in different light', () => {
    expect(rimChange(still, still).rest).toBeLessThan(0.005)
    expect(
      rimChange(
        still,
        sightIn((x, y) => 0.9 * room(x, y)),
      ).rest,
    ).toBeLessThan(0.02)
  })

  test('that are moved, turned and brought nearer by hand leave almost no residue', () => {
    const moved = sightIn((x, y) =>
      room(1.02 * (x - 64) + 0.02 * (y - 64) + 65.5, 1.02 * (y - 64) - 0.02 * (x - 64) + 63),
    )
    expect(rimChange(still, moved).rest).toBeLessThan(0.03)
  })

  test('that show different parts leave a large residue', () => {
    const other = roomOf(4)
    const uncovered = sightIn((x, y) => (x < 45 ? other(x, y) : room(x, y)))
    expect(rimChange(still, uncovered).rest).toBeGreaterThan(0.1)
    expect(rimChange(still, sightIn(other)).rest).toBeGreaterThan(0.4)
  })

  test('are not changed by noise', () => {
    const random = randomNumbers(5)
    const noisy = () => sightIn((x, y) => room(x, y) + 8 * (random() + random() + random() - 1.5))
    expect(rimChange(noisy(), noisy()).rest).toBeLessThan(0.03)
  })

  test('only cover the area outside the face', () => {
    const winking = sightIn((x, y) => (Math.hypot((x - 64) / 20, (y - 64) / 26) < 1 ? 20 : room(x, y)))
    expect(rimChange(still, winking).rest).toBeLessThan(0.01)
  })

  test('report their contrast and their overlap in both pictures', () => {
    expect(rimChange(still, still).pixels).toBeGreaterThan(1500)
    expect(rimChange(still, sightIn(room, { width: 64 })).pixels).toBeGreaterThan(1500)
    expect(rimChange(sightIn(room, { width: 64 }), still).pixels).toBeLessThan(1200)
    expect(rimChange(sightIn(roomOf(3, 0.01)), still).contrast).toBeLessThan(3)
    expect(rimChange(still, still).contrast).toBeGreaterThan(20)
  })

  test('are found again if the second picture is cropped differently', () => {
    const cut = sightIn((x, y) => room(1.1 * x + 4, 1.1 * y + 6), {
      left: 4,
      top: 6,
      step: 1.1,
      width: 200,
      height: 200,
    })
    const landmarks = Float32Array.from(still.landmarks)
    expect(rimChange(still, { ...cut, landmarks }).rest).toBeLessThan(0.03)
  })
})
