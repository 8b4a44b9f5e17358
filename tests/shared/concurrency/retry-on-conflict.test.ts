import { expect, test } from 'vitest'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'

const busy = () => new Error('busy')

test('a commit that loses is tried again until it wins, and its answer is the last one', async () => {
  const lost = [undefined, undefined, undefined, undefined, 'won']
  expect(await retryOnConflict(async () => lost.shift(), busy)).toBe('won')
  expect(lost).toEqual([])
})

test('a commit that always loses fails as busy, after so many tries', async () => {
  let tries = 0
  const lose = async () => void tries++
  await expect(retryOnConflict(lose, busy, 5)).rejects.toThrow('busy')
  expect(tries).toBe(5)
})

test('what fails for another reason is not tried again', async () => {
  let tries = 0
  const fail = () => {
    tries++
    return Promise.reject(new Error('another reason'))
  }
  await expect(retryOnConflict(fail, busy)).rejects.toThrow('another reason')
  expect(tries).toBe(1)
})

test('answers that are false or null are answers', async () => {
  expect(await retryOnConflict(async () => false, busy)).toBe(false)
  expect(await retryOnConflict(async () => null, busy)).toBe(null)
})
