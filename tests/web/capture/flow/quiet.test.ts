import { signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { whenQuiet } from '#web/capture/flow/quiet.ts'
import { beginning } from '#web/capture/machine/machine.ts'

describe('deferred work', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('runs a while after the analysis is ready, once', () => {
    const situation = signal(beginning)
    const run = vi.fn()
    whenQuiet(situation, run)
    vi.advanceTimersByTime(60_000)
    for (const analysis of ['faces', 'guidance'] as const)
      situation.value = { ...beginning, context: { ...beginning.context, analysis } }
    vi.advanceTimersByTime(60_000)
    expect(run).not.toHaveBeenCalled()
    situation.value = { ...beginning, context: { ...beginning.context, analysis: 'ready' } }
    vi.advanceTimersByTime(2999)
    expect(run).not.toHaveBeenCalled()
    situation.value = { ...situation.value, state: { name: 'ready' } }
    vi.advanceTimersByTime(60_000)
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('runs if a link leads nowhere, because nothing is being loaded', () => {
    const situation = signal(beginning)
    const run = vi.fn()
    whenQuiet(situation, run)
    situation.value = { ...beginning, state: { name: 'linkProblem', problem: 'missing', redirectUrl: null } }
    vi.advanceTimersByTime(3000)
    expect(run).toHaveBeenCalledTimes(1)
  })
})
