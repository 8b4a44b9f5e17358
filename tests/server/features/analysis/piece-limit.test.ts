import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limitPiece } from '#server/features/analysis/piece-limit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The error for a piece that never ends, and the milliseconds until it occurs. `share` is how much of the time the process gets. */
async function endOf(share: (time: number) => number) {
  let used = 0
  const limit = limitPiece(100, () => used)
  let end: { code: string; after: number } | undefined
  limit.over.catch(({ code }) => {
    end = { code, after: Date.now() - start }
  })
  const start = Date.now()
  while (end === undefined && Date.now() - start < 1000) {
    used += share(Date.now() - start)
    await vi.advanceTimersByTimeAsync(1)
  }
  limit.clear()
  return end
}

test('a picture that keeps the processor busy takes too long', async () => {
  expect(await endOf(() => 1)).toEqual({ code: 'unreadable_image', after: 100 })
  expect(await endOf(() => 0.51)).toEqual({ code: 'unreadable_image', after: 100 })
})

test('if others use the processor, the machine is busy after three times the time', async () => {
  expect(await endOf(() => 0.48)).toEqual({ code: 'overloaded', after: 300 })
  expect(await endOf(() => 0)).toEqual({ code: 'overloaded', after: 300 })
})

test('a picture on a stalled machine is judged by the time that it actually had', async () => {
  expect(await endOf((time) => (time < 100 ? 0.1 : 1))).toEqual({ code: 'unreadable_image', after: 200 })
})

test('a completed piece causes no error', async () => {
  const limit = limitPiece(100, () => Date.now())
  const failed = vi.fn()
  limit.over.catch(failed)
  limit.clear()
  await vi.advanceTimersByTimeAsync(1000)
  expect(failed).not.toHaveBeenCalled()
})

test("uses the process's own time by default", async () => {
  vi.useRealTimers()
  const limit = limitPiece(40)
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user - user < 60_000);
  await expect(limit.over).rejects.toMatchObject({ code: 'unreadable_image' })
})
