import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createUnlessFailed } from '#server/features/analysis/unless-failed.ts'
import { keepCollectingGarbage } from '../../../support/collect-garbage.ts'

const never = new Promise<Error>(() => {})

test('returns what the work returns, and throws what it throws', async () => {
  const unlessFailed = createUnlessFailed(never)
  expect(await unlessFailed(Promise.resolve(7))).toBe(7)
  await expect(unlessFailed(Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('throws as soon as the other party has failed, and for every later call', async () => {
  let fail = (_: Error) => {}
  const unlessFailed = createUnlessFailed(new Promise((failed) => (fail = failed)))
  const works = [unlessFailed(new Promise(() => {})), unlessFailed(new Promise(() => {}))]
  fail(new Error('died'))
  for (const work of works) await expect(work).rejects.toThrow('died')
  await expect(unlessFailed(Promise.resolve(1))).rejects.toThrow('died')
})

test('keeps no reference to the result of the work', async () => {
  const unlessFailed = createUnlessFailed(never)
  const brought = async () => new WeakRef(await unlessFailed(Promise.resolve(new Float32Array(1000))))
  const found = await brought()
  const garbage = keepCollectingGarbage()
  try {
    for (let i = 0; i < 100 && found.deref() !== undefined; i++) await pause(20)
    expect(found.deref()).toBeUndefined()
    expect(await unlessFailed(Promise.resolve(1))).toBe(1)
  } finally {
    garbage.stop()
  }
})
