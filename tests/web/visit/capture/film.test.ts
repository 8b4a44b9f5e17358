import { describe, expect, test } from 'vitest'
import { trailAsked, trailLimits } from '#shared/contract/sessions/trail.ts'
import { createFilm } from '#web/visit/capture/film.ts'
import type { EncodedSize } from '#workers/api.ts'

const evidence = { trail: true, trailPerSecond: trailAsked.perSecond, trailPixels: trailAsked.pixels }

/** A film that was shown the pictures of a camera, and the sizes that it asked for. */
async function filmed(times: readonly number[], wanted: typeof evidence | null = evidence) {
  const film = createFilm(() => wanted)
  const sizes: EncodedSize[] = []
  const see = (time: number) =>
    film.see({
      time,
      encodeSmall: async (size) => {
        sizes.push(size)
        return new Uint8Array(1)
      },
    })
  for (const time of times) await see(time)
  return { film, sizes, see }
}

/** So many seconds of a camera of 30 pictures a second. */
const camera = (seconds: number, from = 0) =>
  Array.from({ length: Math.round(seconds * 30) }, (_, i) => from + (i * 1000) / 30)

describe('the film', () => {
  test('of another try is as long as the first', async () => {
    const { film, see } = await filmed(camera(120))
    expect(film.take()).toHaveLength(trailLimits.inAll)
    film.clear()
    for (const time of camera(10)) await see(time)
    expect(film.take()).toHaveLength(0)
    film.renew()
    for (const time of camera(10)) await see(time)
    expect(film.take()).toHaveLength(60)
  })

  test('takes six pictures a second, of the size that is asked', async () => {
    const { film, sizes } = await filmed(camera(10))
    expect(film.take()).toHaveLength(60)
    expect(sizes[0]).toEqual({ longestSide: 128, mostBytes: 4096 })
  })

  test('takes what a slow device has', async () => {
    const { film } = await filmed([0, 250, 500, 750, 1000])
    expect(film.take()).toHaveLength(5)
  })

  test('takes nothing where none is asked for', async () => {
    const { sizes } = await filmed(camera(2), null)
    expect(sizes).toEqual([])
  })

  test('lasts for 50 seconds, never more often than it may be sent, and then ends', async () => {
    const { film } = await filmed(camera(120))
    const times = film.take().map(({ time }) => time)
    expect(times).toHaveLength(trailLimits.inAll)
    expect(times.at(-1)!).toBeGreaterThan(45_000)
    const least = Math.min(...times.slice(1).map((time, i) => time - times[i]!))
    expect(least).toBeGreaterThan(1000 / trailLimits.perSecond)
  })

  test('gives each picture once', async () => {
    const { film, see } = await filmed(camera(1))
    const first = film.take()
    expect(first).toHaveLength(6)
    expect(film.take()).toEqual([])
    await see(1200)
    expect(film.take().map(({ time }) => time)).toEqual([1200])
  })

  test('goes on where the camera began anew, and forgets on request', async () => {
    const { film, see } = await filmed([5000])
    await see(0)
    expect(film.take()).toHaveLength(2)
    await see(200)
    film.clear()
    expect(film.take()).toEqual([])
  })
})
