import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { createRefusals } from '#server/features/recognition/index/memory/refusals.ts'

const place = { accountId: 'account', collectionId: 'large', galleryId: 'first' }
const minutes = 60_000

test('a collection that did not fit is tried again after five minutes, one at a time, and refused until it fits', async () => {
  let time = 0
  const refusals = createRefusals(() => time)
  expect([refusals.has(place), refusals.isDue(place)]).toEqual([false, false])
  refusals.begin(place)
  time += 5 * minutes - 1
  expect([refusals.has(place), refusals.isDue(place)]).toEqual([true, false])
  time += 1
  expect(refusals.isDue(place)).toBe(true)

  const outage = new EventEmitter()
  refusals.lookAgain(place, () => once(outage, 'over'))
  time += 10 * minutes
  expect([refusals.has(place), refusals.isDue(place)]).toEqual([true, false])
  outage.emit('error', new Error('the store is away'))
  const later = () => {
    time += 5 * minutes
    return refusals.isDue(place)
  }
  await expect.poll(later).toBe(true)
  expect(refusals.has(place)).toBe(true)

  refusals.lookAgain(place, async () => refusals.end(place))
  await expect.poll(() => refusals.has(place)).toBe(false)
  expect(refusals.has({ ...place, galleryId: 'made anew' })).toBe(false)
})
