import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unlessAborted } from '#web/capture/analysis/unless-aborted.ts'
import { keepCollectingGarbage } from '../../../support/collect-garbage.ts'

test('returns, throws, and ends at the signal', async () => {
  const death = new AbortController()
  expect(await unlessAborted(Promise.resolve(7), death.signal)).toBe(7)
  await expect(unlessAborted(Promise.reject(new Error('no')), death.signal)).rejects.toThrow('no')
  const waiting = unlessAborted(new Promise(() => {}), death.signal)
  death.abort(new Error('died'))
  await expect(waiting).rejects.toThrow('died')
  await expect(unlessAborted(Promise.resolve(7), death.signal)).rejects.toThrow('died')
})

test('keeps no reference to the result', async () => {
  const { signal } = new AbortController()
  const answered = async () =>
    new WeakRef(await unlessAborted(Promise.resolve(new Float32Array(1000)), signal))
  const found = await answered()
  const garbage = keepCollectingGarbage()
  try {
    for (let i = 0; i < 100 && found.deref() !== undefined; i++) await pause(20)
    expect(found.deref()).toBeUndefined()
    expect(signal.aborted).toBe(false)
  } finally {
    garbage.stop()
  }
})
