import { expect, test } from 'vitest'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'

const busy = () => new Error('busy')

test('a lost commit is retried until it wins, and returns its last result', async () => {
  const lost = [undefined, undefined, undefined, undefined, 'won']
  expect(await retryOnConflict(async () => lost.shift(), busy)).toBe('won')
  expect(lost).toEqual([])
})

test('a commit that always loses fails as busy after a number of tries', async () => {
  let tries = 0
  const lose = async () => void tries++
  await expect(retryOnConflict(lose, busy, 5)).rejects.toThrow('busy')
  expect(tries).toBe(5)
})

test('a failure for another reason is not retried', async () => {
  let tries = 0
  const fail = () => {
    tries++
    return Promise.reject(new Error('another reason'))
  }
  await expect(retryOnConflict(fail, busy)).rejects.toThrow('another reason')
  expect(tries).toBe(1)
})

test('false and null are valid results', async () => {
  expect(await retryOnConflict(async () => false, busy)).toBe(false)
  expect(await retryOnConflict(async () => null, busy)).toBe(null)
})
