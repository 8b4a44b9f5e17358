import { describe, expect, test } from 'vitest'
import { pack, unpack } from '#server/features/sessions/evidence/packed-evidence.ts'
import { thinned, wholeOf } from '#server/features/sessions/evidence/whole-evidence.ts'
import { evidenceLimits } from '#server/features/sessions/records/evidence-limits.ts'

const picture = (tried: number, step: number, size = 10) =>
  ({ try: tried, step, name: 'straight', bytes: new Uint8Array(size).fill(step) }) as const
const shot = (tried: number, time: number, size = 10) => ({ try: tried, time, bytes: new Uint8Array(size) })

describe('the evidence of a visit', () => {
  test('has the last try first, earlier ones as far as there is room, and the first picture of each step', () => {
    const tries = [1, 2, 3].map((tried) => ({
      pictures: [picture(tried, 1), picture(tried, 0), picture(tried, 2), picture(tried, 1, 99)],
      film: [],
    }))
    const { pictures } = wholeOf(tries)
    const places = pictures.map((one) => `${one.try}.${one.step}`)
    expect(places).toEqual(['3.0', '3.1', '3.2', '2.0', '2.1', '2.2', '1.0', '1.1'])
    expect(pictures.every(({ bytes }) => bytes.length === 10)).toBe(true)
  })

  test('has the film of the last try that had one, in order', () => {
    const { film } = wholeOf([
      { pictures: [], film: [shot(1, 0), shot(1, 400)] },
      { pictures: [], film: [shot(2, 900), shot(2, 400)] },
      { pictures: [picture(3, 0)], film: [] },
    ])
    expect(film.map(({ time }) => time)).toEqual([400, 900])
  })

  test('is at most 600 kB: every second picture of the film is dropped until it fits', () => {
    const pictures = Array.from({ length: 30 }, (_, i) => picture(1, i, evidenceLimits.pictureBytes))
    const film = Array.from({ length: 240 }, (_, i) => shot(1, i * 340, evidenceLimits.filmPictureBytes))
    const whole = wholeOf([{ pictures, film }])
    expect(whole.pictures).toHaveLength(8)
    expect(whole.film).toHaveLength(60)
    expect(pack(whole).length + 28).toBeLessThanOrEqual(600_000)
  })

  test('is unpacked unchanged', () => {
    const whole = wholeOf([
      { pictures: [picture(1, 0), picture(1, 1, 7)], film: [shot(1, 0), shot(1, 500, 3)] },
    ])
    const again = unpack(pack(whole))
    expect(again.pictures.map(({ bytes, ...rest }) => ({ ...rest, bytes: [...bytes] }))).toEqual(
      whole.pictures.map(({ bytes, ...rest }) => ({ ...rest, bytes: [...bytes] })),
    )
    expect(again.film.map(({ bytes }) => bytes.length)).toEqual([10, 3])
  })
})

test('a film of six pictures per second becomes one of three', () => {
  const film = Array.from({ length: 61 }, (_, i) => ({ time: Math.round((i * 1000) / 6) }))
  expect(thinned(film)).toHaveLength(31)
})
