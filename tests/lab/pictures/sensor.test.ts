import { expect, test } from 'vitest'
import { expose } from '#lab/pictures/sensor.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

const grey = { width: 100, height: 100, rgb: new Uint8Array(30_000).fill(100) }

function momentsOf(rgb: Uint8Array) {
  const mean = rgb.reduce((sum, value) => sum + value, 0) / rgb.length
  const variance = rgb.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rgb.length
  return { mean, deviation: Math.sqrt(variance) }
}

test.each([1.2, 14])('a sensor has noise of %d levels', (noise) => {
  const { mean, deviation } = momentsOf(expose(grey, { gain: 1.05, noise }, randomNumbers(3)).rgb)
  expect(mean).toBeCloseTo(105, 0)
  // Rounding to whole levels adds a twelfth of a level to the variance.
  expect(deviation).toBeCloseTo(Math.sqrt(noise ** 2 + 1 / 12), noise > 10 ? 0 : 1)
})

test('no two pictures have the same noise', () => {
  const random = randomNumbers(3)
  const [first, second] = [0, 1].map(() => expose(grey, { gain: 1, noise: 5 }, random).rgb) as [
    Uint8Array,
    Uint8Array,
  ]
  const same = first.filter((value, i) => value === second[i]).length / first.length
  expect(same).toBeLessThan(0.1)
})
