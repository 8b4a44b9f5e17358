import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRepeatedFailures, type FailureLine } from '#server/platform/telemetry/repeated-failures.ts'

const minute = 60_000
const text = 'It failed'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const lines: FailureLine[] = []
  return { ...createRepeatedFailures((line) => lines.push(line)), lines }
}
/** All thrown from the same place. */
const full = (about = '') => new Error(`No space left${about}`)

describe('repeated failures of one kind', () => {
  test('are logged once at once, and then once a minute with the number of suppressed ones', () => {
    const { tell, lines } = open()
    for (let i = 0; i < 30; i++) tell({ text, error: full(` for ${i}`), requestId: `request ${i}` })
    expect(lines).toMatchObject([{ text, requestId: 'request 0', withStack: true }])
    vi.advanceTimersByTime(minute)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatchObject({
      withStack: false,
      error: { message: 'No space left for 29' },
      heldBack: {
        count: 29,
        first: ['request 1', 'request 2', 'request 3'],
        last: ['request 27', 'request 28', 'request 29'],
      },
    })
    for (let i = 0; i < 10; i++) tell({ text, error: full() })
    expect(lines).toHaveLength(2)
    vi.advanceTimersByTime(minute)
    expect(lines[2]).toMatchObject({ heldBack: { count: 10, first: [], last: [] } })
    vi.advanceTimersByTime(10 * minute)
    expect(lines).toHaveLength(3)
  })

  test('are logged at once again after a quiet minute, without the stack; after an hour with it', () => {
    const { tell, lines } = open()
    tell({ text, error: full() })
    vi.advanceTimersByTime(2 * minute)
    tell({ text, error: full() })
    expect(lines.map(({ withStack }) => withStack)).toEqual([true, false])
    tell({ text, error: full() })
    expect(lines).toHaveLength(2)
    vi.advanceTimersByTime(minute)
    expect(lines).toHaveLength(3)
    vi.advanceTimersByTime(61 * minute)
    tell({ text, error: full() })
    expect(lines.map(({ withStack }) => withStack)).toEqual([true, false, false, true])
  })

  test('are all counted, whenever they occur and however the process ends', () => {
    const { tell, release, lines } = open()
    for (let i = 0; i < 500; i++) {
      tell({ text, error: full() })
      vi.advanceTimersByTime(1 + ((i * 7919) % 4000))
    }
    release()
    const told = lines.reduce((sum, { heldBack }) => sum + (heldBack?.count ?? 1), 0)
    expect(told).toBe(500)
    expect(lines.length).toBeLessThan(40)
  })
})

describe('failures of another kind', () => {
  test('have separate lines: another text, another error, another place', () => {
    const { tell, lines } = open()
    const elsewhere = new Error('No space left')
    const coded = Object.assign(full(), { code: 'ENOSPC' })
    for (const error of [full(), elsewhere, coded, 'words']) tell({ text, error })
    tell({ text: 'Something else', error: full() })
    expect(lines.map(({ withStack }) => withStack)).toEqual([true, true, true, true, true])
  })

  test('are limited in number; the oldest is logged before it is forgotten', () => {
    const { tell, lines } = open()
    for (let i = 0; i < 3; i++) tell({ text: 'oldest', error: 'x' })
    for (let i = 0; i < 200; i++) tell({ text: `way ${i}`, error: 'x' })
    expect(lines.filter(({ text }) => text === 'oldest')).toMatchObject([
      { withStack: true },
      { heldBack: { count: 2 } },
    ])
    expect(vi.getTimerCount()).toBe(200)
  })
})
