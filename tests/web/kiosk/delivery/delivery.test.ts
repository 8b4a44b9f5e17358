import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import type { ProblemCode } from '#shared/problem-codes.ts'
import type { CaptureQueue } from '#web/kiosk/delivery/capture-queue.ts'
import { createDelivery } from '#web/kiosk/delivery/delivery.ts'
import type { SubmitAnswer } from '#web/kiosk/delivery/kiosk-client.ts'

const answer = {} as SubmitAnswer

/** An in-memory queue, and the requests to the server. Each request uses one of the `answers`; after that, all succeed. */
function kioskWith(sequences: number[], ...answers: (Error | 'taken')[]) {
  let waiting = sequences.map((sequence) => ({
    sequence,
    captureId: `capture-${sequence}`,
    sealed: 'sealed',
    capturedAt: 0,
  }))
  const aside: [number, string][] = []
  const submitted: string[] = []
  const trouble: string[] = []
  const queue = {
    first: async () => waiting[0],
    async sent(sequence: number) {
      waiting = waiting.filter((capture) => capture.sequence !== sequence)
    },
    async setAside(sequence: number, code: string) {
      await queue.sent(sequence, 0)
      aside.push([sequence, code])
    },
  } as unknown as CaptureQueue
  const delivery = createDelivery({
    queue,
    client: {
      async submit({ captureId }) {
        submitted.push(captureId)
        const next = answers.shift() ?? 'taken'
        if (next !== 'taken') throw next
        return answer
      },
    },
    now: () => 0,
    onTrouble: (kind) => trouble.push(kind),
    onChange: () => {},
    random: () => 1,
  })
  return { delivery, submitted, aside, trouble, left: () => waiting.map(({ sequence }) => sequence) }
}

const refusal = (code: ProblemCode) => new Problem(code, 'no')

describe('the delivery of captures', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('sends in order, one at a time, and leaves nothing', async () => {
    const kiosk = kioskWith([1, 2, 3])
    await Promise.all([kiosk.delivery.send(), kiosk.delivery.send()])
    expect(kiosk.submitted).toEqual(['capture-1', 'capture-2', 'capture-3'])
    expect(kiosk.left()).toEqual([])
  })

  test('sends the same capture again if the answer was lost, and nothing before it', async () => {
    const kiosk = kioskWith([1, 2], new TypeError('network'))
    await kiosk.delivery.send()
    expect(kiosk.left()).toEqual([1, 2])
    await vi.advanceTimersByTimeAsync(2000)
    expect(kiosk.submitted).toEqual(['capture-1', 'capture-1', 'capture-2'])
    expect(kiosk.trouble).toEqual(['unreachable'])
  })

  test('waits twice as long after each failure, and at most five minutes', async () => {
    const kiosk = kioskWith([1], ...Array.from({ length: 12 }, () => new TypeError('network')))
    await kiosk.delivery.send()
    for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      const before = kiosk.submitted.length
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
      expect(kiosk.submitted.length).toBe(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(kiosk.submitted.length).toBe(before + 1)
    }
  })

  test('shortens its pauses again when the server is back', async () => {
    const kiosk = kioskWith([1], ...Array.from({ length: 4 }, () => new TypeError('network')))
    await kiosk.delivery.send()
    await vi.advanceTimersByTimeAsync(6000)
    expect(kiosk.submitted.length).toBe(3)
    await kiosk.delivery.send()
    expect(kiosk.submitted.length).toBe(4)
    await vi.advanceTimersByTimeAsync(2000)
    expect(kiosk.submitted.length).toBe(5)
  })

  test.each(['capture_refused', 'sequence_used', 'body_too_large'] as const)(
    'sets aside captures that are answered with %s, and continues',
    async (code) => {
      const kiosk = kioskWith([1, 2], refusal(code))
      await kiosk.delivery.send()
      expect(kiosk.aside).toEqual([[1, code]])
      expect(kiosk.submitted).toEqual(['capture-1', 'capture-2'])
    },
  )

  test.each(['verification_not_found', 'internal_error', 'too_many_requests', 'clock_drift'] as const)(
    'keeps everything and waits after %s',
    async (code) => {
      const kiosk = kioskWith([1, 2], refusal(code))
      await kiosk.delivery.send()
      expect(kiosk.left()).toEqual([1, 2])
      expect(kiosk.submitted).toEqual(['capture-1'])
      await vi.advanceTimersByTimeAsync(2000)
      expect(kiosk.left()).toEqual([])
    },
  )

  test('keeps everything and stops asking once the kiosk is revoked', async () => {
    const kiosk = kioskWith([1, 2], refusal('kiosk_revoked'))
    await kiosk.delivery.send()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(kiosk.left()).toEqual([1, 2])
    expect(kiosk.submitted).toEqual(['capture-1'])
    expect(kiosk.trouble).toEqual(['revoked'])
  })

  test('stops on request', async () => {
    const kiosk = kioskWith([1], new TypeError('network'))
    await kiosk.delivery.send()
    kiosk.delivery.stop()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(kiosk.submitted).toEqual(['capture-1'])
  })
})
