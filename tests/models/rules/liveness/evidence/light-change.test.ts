import { expect, test } from 'vitest'
import { lightChange } from '#models/rules/liveness/evidence/light-change.ts'
import { roomOf, sightIn } from '../../../../support/drawn/surfaces.ts'

const { surface } = sightIn(roomOf(1))
const withSkin = (skin: (i: number) => number) => ({
  ...surface,
  skin: Float32Array.from({ length: 330 }, (_, i) => skin(i)),
})

test('uniform change of light counts as no change', () => {
  expect(
    lightChange(
      surface,
      withSkin(() => Math.log(150)),
    ).deviation,
  ).toBeCloseTo(0, 5)
})

test('light that rises on one side and falls on the other is measured by its median deviation', () => {
  const turned = withSkin((i) => Math.log(120) + 0.2 * (i / 329 - 0.5))
  expect(lightChange(surface, turned).deviation).toBeCloseTo(0.05, 2)
})

test('skin that is turned away in either picture is left out', () => {
  const half = withSkin((i) => (i % 2 === 0 ? Number.NaN : Math.log(120)))
  expect(lightChange(surface, half)).toEqual({ deviation: 0, places: 165 })
  expect(lightChange(half, surface).places).toBe(165)
})
