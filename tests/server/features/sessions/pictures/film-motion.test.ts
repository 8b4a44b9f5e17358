import { describe, expect, test } from 'vitest'
import { packMotion, repeatedPictures, unpackMotion } from '#server/features/sessions/pictures/film-motion.ts'
import {
  movementsIn,
  nearest,
  type SketchedPicture,
  sketchedPictures,
  sketchOf,
  sketchSigns,
} from '#server/features/sessions/pictures/film-sketch.ts'
import { motionOf, movingFilm, seededNumbers, signatureAt } from '../../../../support/drawn/moving-film.ts'

const signs = sketchSigns(Buffer.alloc(32, 3))
const sketch = (signature: Float32Array) => sketchOf(signature, signs)
const sketched = (seed: number, pictures: number, encoding = {}) =>
  sketchedPictures(movingFilm(sketch, motionOf(seed, pictures), encoding))
const kept = (film: readonly SketchedPicture[]) => unpackMotion(packMotion(film))
/**
 * Sixteen seconds with six pictures each. In each second, the person sits in a different place and moves slightly. From
 * `otherwiseFrom` on, the small movements differ from those in the film without it.
 */
function seconds(otherwiseFrom = 16): SketchedPicture[] {
  const [place, move, other] = [seededNumbers(1), seededNumbers(2), seededNumbers(3)]
  return Array.from({ length: 16 }, (_, second) => {
    const places = Array.from({ length: 20 }, () => 200 * place())
    return Array.from({ length: 6 }, (_, i) => {
      const moves = Array.from({ length: 20 }, () => [6 * move(), 6 * other()] as const)
      const numbers = places.map((at, k) => at + moves[k]![second < otherwiseFrom ? 0 : 1])
      const index = 6 * second + i
      return { index, time: Math.round((index * 1000) / 6), numbers }
    })
  }).flat()
}

describe('a sketch', () => {
  test('depends on the key', () => {
    const signature = signatureAt({ x: 16, y: 16 })
    expect(sketch(signature)).not.toBe(sketchOf(signature, sketchSigns(Buffer.alloc(32, 4))))
    expect(sketch(signature)).toHaveLength(54)
  })

  test('contains the lightest and the darkest picture', () => {
    for (const light of [0, 255]) {
      const signature = new Float32Array(32 * 32).fill(light)
      const [picture] = sketchedPictures([{ time: 0, sketch: sketch(signature) } as never])
      for (const [row, value] of picture!.numbers.entries()) {
        const sum = signs.subarray(row * 64, row * 64 + 64).reduce((all, sign) => all + sign, 0)
        expect(value).toBeCloseTo((sum * 16 * light) / 32, 0)
      }
    }
  })
})

describe('movements', () => {
  test('are taken from strong movement, each as three texts of signs, and none twice', () => {
    const found = movementsIn(sketched(1, 60))
    expect(found.length).toBeGreaterThan(20)
    expect(new Set(found.map(({ signs: [own] }) => own)).size).toBe(found.length)
    for (const { signs: all } of found) {
      expect(new Set(all).size).toBe(3)
      for (const beside of all.slice(1))
        expect([...beside].filter((sign, k) => sign !== all[0]![k])).toHaveLength(1)
    }
  })

  test('are empty for a person who sits still', () => {
    const still = Array.from({ length: 60 }, () => ({ x: 16, y: 16 }))
    expect(movementsIn(sketchedPictures(movingFilm(sketch, still, { noise: 0.5 })))).toEqual([])
  })
})

test.each([
  [100, 100],
  [149, 100],
  [151, 200],
  [389, 300],
  [391, undefined],
  [9, undefined],
])('the picture nearest to %i ms is that of %s', (time, expected) => {
  expect(nearest([{ time: 100 }, { time: 200 }, { time: 300 }], time)?.time).toBe(expected)
})

describe('the stored motion of a film', () => {
  test('is twelve bytes per picture, and accurate to a part of its motion', () => {
    const film = sketched(1, 60)
    const bytes = packMotion(film)
    expect(bytes).toHaveLength(8 + 60 * 12)
    const step = bytes.readDoubleBE(0)
    const { pictures } = unpackMotion(bytes)
    expect(pictures.map(({ time }) => time)).toEqual(film.map(({ time }) => time))
    const offset = film[0]!.numbers[0]! - pictures[0]!.numbers[0]!
    for (const [i, { numbers }] of pictures.entries())
      expect(Math.abs(film[i]!.numbers[0]! - numbers[0]! - offset)).toBeLessThanOrEqual(step)
  })

  test('of an empty film matches nothing', () => {
    expect(kept([])).toEqual({ pictures: [] })
    expect(repeatedPictures(sketched(1, 60), kept([]), 0)).toEqual([])
    expect(repeatedPictures([], kept(sketched(1, 60)), 0)).toEqual([])
  })
})

describe('two films are the same', () => {
  const film = sketched(1, 96)

  test.each([
    [47, 0],
    [48, 48],
  ])('with eight seconds of movement: %i pictures give %i', (pictures, repeated) => {
    const short = film.slice(0, pictures)
    expect(repeatedPictures(short, kept(short), 0)).toHaveLength(repeated)
  })

  test.each([
    ['at the times of the kept one', 0, 96],
    ['moved by what the clocks differ by', 5000, 96],
    ['moved by half a second too much', 5500, 0],
  ])('if they are aligned %s', (_name, shift, repeated) => {
    const later = film.map((picture) => ({ ...picture, time: picture.time + (shift === 0 ? 0 : 5000) }))
    expect(repeatedPictures(later, kept(film), shift)).toHaveLength(repeated)
  })

  test.each([
    ['twelve of sixteen', 12, 96],
    ['eleven of sixteen', 11, 0],
  ])('if %s seconds move alike', (_name, alike, repeated) => {
    expect(repeatedPictures(seconds(alike), kept(seconds()), 0)).toHaveLength(repeated)
  })

  test('if half of the pictures have a counterpart', () => {
    const first = (pictures: number) => film.slice(0, pictures)
    expect(repeatedPictures(film, kept(first(54)), 0)).toHaveLength(54)
    expect(repeatedPictures(film, kept(first(47)), 0)).toEqual([])
  })

  test('unless they differ overall', () => {
    const swayed = film.map((picture, i) => ({
      ...picture,
      numbers: picture.numbers.map((value, k) => value + 60 * Math.sin(i / 30 + k)),
    }))
    expect(repeatedPictures(swayed, kept(film), 0)).toEqual([])
  })
})
