import { signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { emptyView } from '#web/capture/analysis/tracker.ts'
import type { Flow } from '#web/capture/flow/flow.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import type { Kiosk, KioskStatus, VisitOutcome } from '#web/kiosk/core/kiosk.ts'
import { startKioskFlow } from '#web/kiosk/flow/kiosk-flow.ts'
import { exhibits } from '#web/preview/preview-exhibits.ts'

const passed = {
  kind: 'kept',
  answer: { result: 'Pass', expression: null },
} as const

/** An idle page on top of a scripted core, with a visit in a given state. */
function startPage() {
  const status = signal<KioskStatus>({ kind: 'ready' })
  const outcome = signal<VisitOutcome | null>(null)
  const visit = { outcome, end: vi.fn(), seams: {} }
  const visiting = signal({ ...beginning, state: exhibits.consent!.state })
  const flow = { situation: visiting, view: emptyView(), send: vi.fn(), end: vi.fn() }
  const kiosk = {
    status,
    hasPin: signal(true),
    commands: {
      beginVisit: vi.fn(async (): Promise<unknown> => visit),
      checkPin: vi.fn(async () => ({ isRight: false, waitSeconds: 5 })),
    },
    setInUse: vi.fn(),
  }
  const resetLanguage = vi.fn()
  const page = startKioskFlow({
    kiosk: kiosk as unknown as Kiosk,
    openFlow: () => flow as unknown as Flow,
    resetLanguage,
  })
  const name = () => page.situation.value.state.name
  const start = async () => {
    page.send({ type: 'start' })
    await vi.advanceTimersByTimeAsync(0)
  }
  const stand = (screen: string) => {
    visiting.value = { ...beginning, state: exhibits[screen]!.state }
  }
  return { page, kiosk, status, outcome, visit, flow, resetLanguage, name, start, stand }
}

const requestFullscreen = vi.fn(async () => {})
let screen: EventTarget & { fullscreenElement: unknown }

beforeEach(() => {
  vi.useFakeTimers()
  requestFullscreen.mockClear()
  screen = Object.assign(new EventTarget(), {
    fullscreenElement: null,
    documentElement: { requestFullscreen, dataset: {} },
  })
  vi.stubGlobal('document', screen)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the page of a kiosk', () => {
  test('requests full screen with each check, unless it has it', async () => {
    const { start, page } = startPage()
    await start()
    expect(requestFullscreen).toHaveBeenCalledTimes(1)
    page.send({ type: 'ended', answer: 'nothing', expression: null })
    page.send({ type: 'finish' })
    screen.fullscreenElement = {}
    await start()
    expect(requestFullscreen).toHaveBeenCalledTimes(1)
  })

  test('reports its use from the first touch of a check until its answer is gone', async () => {
    const { start, page, kiosk } = startPage()
    expect(kiosk.setInUse).toHaveBeenLastCalledWith(false)
    page.send({ type: 'start' })
    expect(kiosk.setInUse).toHaveBeenLastCalledWith(true)
    await start()
    page.send({ type: 'ended', answer: 'passed', expression: null })
    expect(kiosk.setInUse).toHaveBeenLastCalledWith(true)
    page.send({ type: 'finish' })
    expect(kiosk.setInUse).toHaveBeenLastCalledWith(false)
  })

  test('asks whether a person is still there, continues on a confirmation, and otherwise forgets the visit', async () => {
    const { start, page, name, flow, visit, resetLanguage } = startPage()
    await start()
    await vi.advanceTimersByTimeAsync(20_500)
    expect(name()).toBe('stillThere')
    expect(flow.send).toHaveBeenLastCalledWith({ type: 'hidden' })
    page.send({ type: 'here' })
    expect(name()).toBe('visit')
    await vi.advanceTimersByTimeAsync(41_000)
    expect(name()).toBe('attract')
    expect(flow.end).toHaveBeenCalledTimes(1)
    expect(visit.end).toHaveBeenCalledTimes(1)
    expect(page.visit.value).toBeNull()
    expect(resetLanguage).toHaveBeenCalled()
  })

  test('asks no person whom the camera sees, and asks one who leaves its picture', async () => {
    const { start, name, stand, flow } = startPage()
    await start()
    stand('action-smile')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(name()).toBe('visit')
    flow.view.hint.value = 'showFace'
    await vi.advanceTimersByTimeAsync(20_500)
    expect(name()).toBe('stillThere')
  })

  test('shows the answer once the capture is stored and its screen is there, and ends the check with it', async () => {
    const { start, name, stand, outcome, visit } = startPage()
    await start()
    outcome.value = passed
    await vi.advanceTimersByTimeAsync(0)
    expect(name()).toBe('visit')
    stand('passed')
    await vi.advanceTimersByTimeAsync(0)
    expect(name()).toBe('answer')
    expect(visit.end).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(10_500)
    expect(name()).toBe('attract')
  })

  test('keeps an answer for a minute on request', async () => {
    const { start, name, page } = startPage()
    await start()
    page.send({ type: 'ended', answer: 'passed', expression: null })
    page.send({ type: 'keep' })
    await vi.advanceTimersByTimeAsync(59_000)
    expect(name()).toBe('answer')
    await vi.advanceTimersByTimeAsync(1500)
    expect(name()).toBe('attract')
  })

  test('ends a check that began after the page had gone elsewhere', async () => {
    const { page, name, status, visit } = startPage()
    page.send({ type: 'start' })
    status.value = { kind: 'unpaired' }
    await vi.advanceTimersByTimeAsync(0)
    expect(name()).toBe('pairing')
    expect(visit.end).toHaveBeenCalledTimes(1)
  })

  test('stays at its screen when no check can begin', async () => {
    const { start, name, kiosk, page } = startPage()
    kiosk.commands.beginVisit.mockResolvedValueOnce(undefined)
    await start()
    expect(page.situation.value.state).toEqual({ name: 'attract', busy: false })
    kiosk.commands.beginVisit.mockRejectedValueOnce(new Error('the disk'))
    await start()
    expect(name()).toBe('attract')
  })

  test('shows until when no PIN is accepted', async () => {
    const { page } = startPage()
    page.send({ type: 'staff' })
    page.send({ type: 'enterPin', pin: '1357' })
    await vi.advanceTimersByTimeAsync(0)
    expect(page.situation.value.state).toMatchObject({ isWrong: true, waitUntil: Date.now() + 5000 })
  })
})
