import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '#web/capture/sending/submit.ts'
import { sentBody } from '../../../../e2e/support/acted/sent-body.ts'

const frames = [1, 2].map((time) => ({ bytes: new Uint8Array([time]), time }))
const trail = [10, 170.4].map((time) => ({ bytes: new Uint8Array([7]), time }))
const step = { step: 2, frames, trail, until: 10_000 }

/** A server that is away for this long, and the requests that it received once it was back. */
function serverThatIsAwayFor(seconds: number, answer: object) {
  const sent: { frames: unknown[]; trail?: unknown[]; request?: string }[] = []
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: Uint8Array }) => {
    if (Date.now() < seconds * 1000) throw new TypeError('Failed to fetch')
    sent.push(sentBody(body) as (typeof sent)[number])
    return new Response(JSON.stringify(answer))
  })
  return sent
}

async function submitted(seconds: number, answer: { next: object | null; accepted: boolean }) {
  const sent = serverThatIsAwayFor(seconds, answer)
  const answered = createClient('https://a.example').submitStep('token', step, () => true)
  await vi.advanceTimersByTimeAsync(seconds * 3000)
  return { sent: sent[0], answered: await answered }
}

describe('a step whose server is away', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
    vi.stubGlobal('navigator', { onLine: true })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('is sent while its pictures are on time', async () => {
    const { sent, answered } = await submitted(2, { next: null, accepted: true })
    expect(sent!.frames).toHaveLength(2)
    expect(sent!.trail).toEqual([
      { bytes: 'Bw==', time: 10 },
      { bytes: 'Bw==', time: 170 },
    ])
    expect(answered).toMatchObject({ next: null, accepted: true, request: false, dropped: 0 })
    // The next request's clock may have started with the first attempt.
    expect(answered.lateMilliseconds).toBeGreaterThanOrEqual(2000)
  })

  test('is restarted if they would be late', async () => {
    const next = { step: 2, action: 'lookUp', timeLimitInSeconds: 20 }
    const { sent, answered } = await submitted(12, { next, accepted: true })
    expect(sent).toMatchObject({ frames: [], request: 'moreTime' })
    expect(sent!.trail).toBeUndefined()
    expect(answered).toMatchObject({ next, accepted: true, request: true, dropped: 2, lateMilliseconds: 0 })
  })

  test('whose pictures had arrived has its answer, and they count as sent', async () => {
    const next = { step: 3, action: 'lookUp', timeLimitInSeconds: 10 }
    const { answered } = await submitted(12, { next, accepted: true })
    expect(answered).toMatchObject({ next, accepted: true, request: true, dropped: 0 })
  })
})
