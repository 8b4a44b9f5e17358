import { describe, expect, test } from 'vitest'
import { trailAsked, trailLimits } from '#shared/contract/sessions/trail.ts'
import { createFilm } from '#web/capture/analysis/film.ts'
import type { EncodedSize } from '#workers/api.ts'

const evidence = { trail: true, trailPerSecond: trailAsked.perSecond, trailPixels: trailAsked.pixels }

/** A film made from a camera's pictures, and which sizes it requested. */
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

/** This many seconds from a camera with 30 pictures per second. */
const camera = (seconds: number, from = 0) =>
  Array.from({ length: Math.round(seconds * 30) }, (_, i) => from + (i * 1000) / 30)

/** Frames at these times, and everything between them. */
const frames = (...times: readonly number[]) => times.map((time) => ({ time }))
const everything = frames(0, 1_000_000)
const timesOf = (pictures: readonly { time: number }[]) => pictures.map(({ time }) => time)

describe('the film', () => {
  test('of another try is as long as the first', async () => {
    const { film, see } = await filmed(camera(120))
    for (let request = 0; request < 20; request++) {
      film.take(everything)
      for (const time of camera(60)) await see(time)
    }
    expect(film.take(everything)).toHaveLength(0)
    film.renew()
    for (const time of camera(10)) await see(time)
    expect(film.take(everything)).toHaveLength(60)
  })

  test('shows the moment of a frame even if no picture is due, and never twice', async () => {
    const { film, see } = await filmed([0])
    const encodeSmall = async () => new Uint8Array(1)
    await see(80)
    await film.addFrame({ time: 140, encodeSmall })
    await film.addFrame({ time: 140, encodeSmall })
    expect(timesOf(film.take(frames(140)))).toEqual([0, 140])
    const { film: unwanted } = await filmed([], null)
    await unwanted.addFrame({ time: 140, encodeSmall })
    expect(unwanted.take(everything)).toEqual([])
  })

  test('is in order of time even if a frame is chosen after later pictures, which may already show it', async () => {
    const { film } = await filmed([0, 200, 400])
    const encodeSmall = async () => new Uint8Array(1)
    await film.addFrame({ time: 300, encodeSmall })
    await film.addFrame({ time: 180, encodeSmall })
    expect(timesOf(film.take(everything))).toEqual([0, 200, 300, 400])
    await film.addFrame({ time: 350, encodeSmall })
    expect(film.take(everything)).toEqual([])
  })

  test('of a camera that was restarted shows its frames again', async () => {
    const { film, see } = await filmed([5000])
    film.take(everything)
    await see(0)
    await film.addFrame({ time: 100, encodeSmall: async () => new Uint8Array(1) })
    expect(timesOf(film.take(everything))).toEqual([0, 100])
  })

  test('of a step that had to be sent again does not come with the next one', async () => {
    const { film } = await filmed(camera(4))
    film.forgetBefore(3000)
    const times = timesOf(film.take(everything))
    expect(times.length).toBeGreaterThan(4)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(3000)
  })

  test('of a page that was reloaded is no longer than what the server still takes', async () => {
    const { film, see } = await filmed([])
    film.renew(trailLimits.inAll - 10)
    let taken = 0
    for (let request = 0; request < 20; request++) {
      for (const time of camera(30)) await see(time)
      taken += film.take(everything).length
    }
    expect(taken).toBe(10)
  })

  test('takes six pictures per second, of the requested size', async () => {
    const { film, sizes } = await filmed(camera(10))
    expect(film.take(everything)).toHaveLength(60)
    expect(sizes[0]).toEqual({ longestSide: 128, mostBytes: 4096 })
  })

  test('takes the pictures that a slow device has', async () => {
    const { film } = await filmed([0, 250, 500, 750, 1000])
    expect(film.take(everything)).toHaveLength(5)
  })

  test('takes nothing if none is requested', async () => {
    const { sizes } = await filmed(camera(2), null)
    expect(sizes).toEqual([])
  })

  test('returns each picture once', async () => {
    const { film, see } = await filmed(camera(1))
    expect(film.take(everything)).toHaveLength(6)
    expect(film.take(everything)).toEqual([])
    await see(1200)
    expect(timesOf(film.take(everything))).toEqual([1200])
  })

  test('continues if the camera restarts, and is cleared on request', async () => {
    const { film, see } = await filmed([5000])
    await see(0)
    expect(film.take(everything)).toHaveLength(2)
    await see(200)
    film.clear()
    expect(film.take(everything)).toEqual([])
  })
})

describe('a long wait', () => {
  test('leaves most of the limit to later requests, and takes the pictures around its frames', async () => {
    const { film } = await filmed(camera(60))
    const times = timesOf(film.take(frames(40_000, 43_000)))
    expect(times.at(0)).toBeGreaterThanOrEqual(39_500)
    expect(times.at(-1)).toBeLessThanOrEqual(43_500)
    expect(times.length).toBeGreaterThan(20)
    expect(times.length).toBeLessThan(30)
  })

  test('does not use up the film of a visit: there is a picture for the frames of every request', async () => {
    const { film, see } = await filmed([])
    let sent = 0
    for (let request = 0; request < 6; request++) {
      const from = request * 30_000
      for (const time of camera(30, from)) await see(time)
      const shot = frames(from + 12_000, from + 25_000, from + 27_000, from + 29_900)
      const times = timesOf(film.take(shot))
      sent += times.length
      for (const { time } of shot)
        expect(Math.min(...times.map((one) => Math.abs(one - time)))).toBeLessThanOrEqual(1500)
    }
    expect(sent).toBeLessThanOrEqual(trailLimits.inAll)
  })

  test('keeps no more than may be sent, and the latest densely', async () => {
    const { film } = await filmed(camera(300))
    const times = timesOf(film.take(frames(299_000, 300_000)))
    expect(times.length).toBeGreaterThanOrEqual(8)
  })
})

describe('the timer', () => {
  const picture = (time: number, bytes = 1) => ({ time, encodeSmall: async () => new Uint8Array(bytes) })
  const begun = async () => {
    const film = createFilm(() => evidence)
    await film.see(picture(1000))
    return film
  }

  test('fills gaps if an analysis takes long, at three pictures per second or more', async () => {
    const film = await begun()
    for (let time = 1000; time <= 11_000; time += 80) {
      await film.fill(picture(time))
      // An analysis that takes a second or more submits the picture it began with.
      if (time % 1200 === 0) await film.see(picture(time - 1200))
    }
    const times = timesOf(film.take(everything))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.length).toBeGreaterThanOrEqual(30)
  })

  test('makes up for a late picture, and for no more', async () => {
    const film = await begun()
    for (const time of [1600, 1740, 1760, 1900, 1990, 2000]) await film.fill(picture(time))
    expect(timesOf(film.take(everything))).toEqual([1000, 1600, 1760, 2000])
  })

  test('takes nothing if analyses are fast enough, none is requested, or it has not begun', async () => {
    const film = await begun()
    await film.fill(picture(1230))
    expect(timesOf(film.take(everything))).toEqual([1000])
    const unasked = createFilm(() => null)
    await unasked.see(picture(0))
    await unasked.fill(picture(5000))
    expect(unasked.take(everything)).toEqual([])
    const before = createFilm(() => evidence)
    await before.fill(picture(5000))
    expect(before.take(everything)).toEqual([])
  })

  test('continues with a restarted camera', async () => {
    const film = await begun()
    await film.fill(picture(9000))
    await film.see(picture(100))
    expect(timesOf(film.take(everything))).toEqual([1000, 9000, 100])
  })

  test('loses nothing if a picture cannot be taken', async () => {
    const film = await begun()
    const broken = { time: 1500, encodeSmall: () => Promise.reject(new Error('no picture')) }
    await expect(film.fill(broken)).rejects.toThrow('no picture')
    await film.see(picture(1700))
    expect(timesOf(film.take(everything))).toEqual([1000, 1700])
  })
})
