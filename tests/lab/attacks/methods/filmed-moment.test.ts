import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Forgery } from '#lab/attacks/forgery.ts'
import { framesOf, sentOf, trailOf } from '#lab/attacks/methods/filmed-moment.ts'
import { trailLimits } from '#shared/contract/sessions/trail.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

/** A forgery made of noise, which encoders cannot make small, and the times that were requested from it. */
function noisy() {
  const asked: number[][] = []
  const random = randomNumbers(3)
  const picture = () => ({
    width: 640,
    height: 480,
    rgb: Uint8Array.from({ length: 640 * 480 * 3 }, () => random() * 255),
  })
  const forgery: Forgery = {
    momentInMilliseconds: 1200,
    frames: async (_moment, count) => Array.from({ length: count }, () => Buffer.from('own')),
    film: async (_moment, places) => {
      asked.push([...places])
      return places.map(picture)
    },
  }
  return { forgery, asked }
}

test('frames are taken from the film: for an action from the straight look to its peak', async () => {
  const { forgery, asked } = noisy()
  const frames = await framesOf(forgery, 'turnLeft', 4, 2000)
  await framesOf(forgery, 'start', 3, 0)
  expect(asked[0]!.map((place) => Number(place.toFixed(3)))).toEqual([0.2, 0.333, 0.467, 0.6])
  expect(asked[1]).toEqual([0.25, 0.5, 0.75])
  expect(frames.map(({ time }) => time)).toEqual([2240, 2400, 2560, 2720])
})

test('the film has six pictures per second, as small as the interface accepts them', async () => {
  const { forgery } = noisy()
  const trail = await trailOf(forgery, 'start', 0)
  expect(trail.map(({ time }) => time)).toEqual([0, 171, 343, 514, 686, 857, 1029])
  for (const { bytes } of trail) {
    const jpeg = Buffer.from(bytes, 'base64')
    expect(jpeg.length).toBeLessThanOrEqual(trailLimits.bytes)
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 128, height: 96 })
  }
})

test('a forger without a film sends frames that are chosen freely', async () => {
  const { forgery, asked } = noisy()
  const { frames, ...others } = await sentOf(forgery, 'none', 'turnLeft', 3, 1000)
  expect(frames.map(({ bytes, time }) => [Buffer.from(bytes, 'base64').toString(), time])).toEqual([
    ['own', 1000],
    ['own', 1120],
    ['own', 1240],
  ])
  expect([others, asked]).toEqual([{}, []])
})

test('frames are taken at the times that the forger chooses', async () => {
  const { forgery, asked } = noisy()
  await framesOf({ ...forgery, placesOfFrames: () => [0.1, 0.4, 0.5, 0.9] }, 'turnLeft', 3, 0)
  expect(asked).toEqual([[0.1, 0.4, 0.5]])
})

test.each([
  ['dark', 4],
  ['flat', 128],
] as const)('a %s film has all its pictures, of one level', async (film, level) => {
  const { trail } = await sentOf(noisy().forgery, film, 'start', 4, 0)
  expect(trail).toHaveLength(7)
  for (const { bytes } of trail!) {
    const { channels } = await sharp(Buffer.from(bytes, 'base64')).stats()
    for (const { min, max } of channels) expect([min, max]).toEqual([level, level])
  }
})

test('a repeated film shows one picture throughout', async () => {
  const { trail } = await sentOf(noisy().forgery, 'repeated', 'turnLeft', 4, 0)
  expect(trail).toHaveLength(7)
  expect(new Set(trail!.map(({ bytes }) => bytes)).size).toBe(1)
})

test('a noisy film is one picture, with other noise each time', async () => {
  const { forgery, asked } = noisy()
  const trail = await trailOf(forgery, 'turnLeft', 0, 'noisy')
  expect(new Set(trail.map(({ bytes }) => bytes)).size).toBe(7)
  expect(asked).toEqual([[0]])
})

test.each(['other', 'otherNoisy', 'living'] as const)(
  'a film of kind %s is another person’s',
  async (film) => {
    const [own, other] = [noisy(), noisy()]
    const { trail } = await sentOf({ ...own.forgery, other: other.forgery }, film, 'turnLeft', 2, 0)
    expect(trail).toHaveLength(7)
    expect([own.asked.length, other.asked.length]).toEqual([1, 1])
  },
)

test('a sparse film has a picture in two seconds, where each moment begins', async () => {
  const { forgery, asked } = noisy()
  const short = await sentOf(forgery, 'sparse', 'turnLeft', 4, 0)
  const long = await sentOf({ ...forgery, momentInMilliseconds: 2400 }, 'sparse', 'turnLeft', 4, 0)
  expect([short.trail, long.trail].map((trail) => trail!.map(({ time }) => time))).toEqual([[0], [0, 1200]])
  expect(asked[1]).toEqual([0])
})
