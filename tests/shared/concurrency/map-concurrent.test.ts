import { expect, test } from 'vitest'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'

test('at most `limit` items run at once, and the results keep their order', async () => {
  let running = 0
  let most = 0
  const answers = await mapConcurrent([30, 5, 10, 1], 2, async (milliseconds, index) => {
    most = Math.max(most, ++running)
    await new Promise((over) => setTimeout(over, milliseconds))
    running--
    return `${index}: ${milliseconds}`
  })
  expect(most).toBe(2)
  expect(answers).toEqual(['0: 30', '1: 5', '2: 10', '3: 1'])
})

test('an empty list has no results, and a failure is passed on', async () => {
  expect(await mapConcurrent([], 3, async () => 1)).toEqual([])
  const fail = async () => {
    throw new Error('no')
  }
  await expect(mapConcurrent([1], 3, fail)).rejects.toThrow('no')
})
