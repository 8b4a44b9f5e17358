import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { persistently, UnsentError } from '#web/capture/sending/retry.ts'
import { untilCut } from '#web/capture/sending/until-cut.ts'

/** The waits that were reported, and the state of the network. */
function circumstances(given: { online?: boolean; wanted?: () => boolean } = {}) {
  const slept: number[] = []
  const sleep = async (seconds: number) => void slept.push(seconds)
  return { slept, sleep, online: () => given.online ?? true, wanted: given.wanted ?? (() => true) }
}

const down = async (): Promise<never> => {
  throw new TypeError('Failed to fetch')
}

describe('a submission', () => {
  test('is repeated after 1, 2, 4 and 8 s, then given up for now', async () => {
    const around = circumstances()
    await expect(persistently(down, around)).rejects.toThrow(UnsentError)
    expect(around.slept).toEqual([1, 2, 4, 8])
  })

  test('is given up at once if the browser reports no network', async () => {
    const around = circumstances({ online: false })
    await expect(persistently(down, around)).rejects.toThrow(UnsentError)
    expect(around.slept).toEqual([])
  })

  test('ends when its answer is no longer needed', async () => {
    const around = circumstances({ wanted: () => false })
    const attempt = vi.fn(down)
    await expect(persistently(attempt, around)).rejects.toThrow(UnsentError)
    expect(attempt).toHaveBeenCalledTimes(1)
  })

  test('arrives as soon as the server is back', async () => {
    let tries = 0
    const answer = persistently(async () => (++tries < 3 ? down() : 'taken'), circumstances())
    expect(await answer).toBe('taken')
    expect(tries).toBe(3)
  })

  test('that timed out at a proxy is repeated', async () => {
    let tries = 0
    const slow = () => Promise.reject(new Problem('internal_error', 'a proxy', { status: 408 }))
    expect(await persistently(async () => (++tries < 2 ? slow() : 'taken'), circumstances())).toBe('taken')
  })

  test('that a proxy refuses is repeated', async () => {
    let tries = 0
    const blocked = () => Promise.reject(new Problem('forbidden', 'a proxy', { isForeign: true }))
    expect(await persistently(async () => (++tries < 2 ? blocked() : 'taken'), circumstances())).toBe('taken')
  })

  test('that is refused is not repeated', async () => {
    const refused = new Problem('session_closed', 'The session has already ended.')
    const attempt = vi.fn(async () => Promise.reject(refused))
    await expect(persistently(attempt, circumstances())).rejects.toBe(refused)
    expect(attempt).toHaveBeenCalledTimes(1)
  })
})

describe('a request', () => {
  const page = new EventTarget()
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('ends when the browser loses its network', () => {
    const { signal } = untilCut(20_000)
    expect(signal.aborted).toBe(false)
    page.dispatchEvent(new Event('offline'))
    expect(signal.aborted).toBe(true)
  })

  test('ends after a long silence', () => {
    const { signal } = untilCut(20_000)
    vi.advanceTimersByTime(19_999)
    expect(signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(signal.aborted).toBe(true)
  })

  test('that was answered is left alone', () => {
    const { signal, over } = untilCut(20_000)
    over()
    page.dispatchEvent(new Event('offline'))
    vi.advanceTimersByTime(20_000)
    expect(signal.aborted).toBe(false)
  })
})
