import { signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Flow } from '#web/capture/flow/flow.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import type { State } from '#web/capture/machine/state.ts'
import { keepForOffline } from '#web/capture/offline.ts'

const told = vi.hoisted(() => ({
  registered: [] as unknown[],
  asked: [] as unknown[],
  skips: 0,
  listeners: new Map<string, () => void>(),
}))

vi.mock('workbox-window', () => ({
  Workbox: class {
    readonly #given: unknown[]
    constructor(...given: unknown[]) {
      this.#given = given
    }
    addEventListener(name: string, heard: () => void) {
      told.listeners.set(name, heard)
    }
    async register() {
      told.registered.push(this.#given)
    }
    messageSkipWaiting() {
      told.skips++
    }
    async update() {}
  },
  messageSW: async (worker: unknown, message: unknown) => void told.asked.push({ worker, message }),
}))

const origin = 'https://check.example'
const resources = [`${origin}/assets/main-1.js`, 'https://elsewhere.example/assets/x.js']
const reload = vi.fn()

function openPage({ framed = false, installed = false, able = true } = {}) {
  const page = { parent: {} as object }
  if (!framed) page.parent = page
  vi.stubGlobal('window', page)
  vi.stubGlobal(
    'navigator',
    able ? { serviceWorker: { ready: Promise.resolve({ active: 'the active worker' }) } } : {},
  )
  vi.stubGlobal('location', { origin, reload })
  vi.stubGlobal('document', { addEventListener: () => {}, hidden: false })
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: installed && query.includes('standalone') }))
  vi.stubGlobal('performance', { getEntriesByType: () => resources.map((name) => ({ name })) })
}

function flowIn(state: State): Flow {
  const situation = signal({ ...beginning, state })
  return { situation, files: async () => ['/assets/weights-1.onnx'] } as unknown as Flow
}

const visit = flowIn({ name: 'ready' })
const atRest = flowIn({ name: 'linkProblem', problem: 'missing', redirectUrl: null })

beforeEach(() => {
  told.registered = []
  told.asked = []
  told.skips = 0
  told.listeners.clear()
  reload.mockClear()
})
afterEach(() => void vi.unstubAllGlobals())

describe('a page', () => {
  test('asks to cache its loaded files of its own origin, and those of its analysis', async () => {
    openPage()
    await keepForOffline(visit)
    expect(told.registered).toEqual([['/service-worker.js', { scope: '/', updateViaCache: 'none' }]])
    const addresses = ['/assets/main-1.js', '/assets/weights-1.onnx']
    expect(told.asked).toEqual([{ worker: 'the active worker', message: { type: 'KEEP_FILES', addresses } }])
  })

  test('that is installed asks to cache everything', async () => {
    openPage({ installed: true })
    await keepForOffline(visit)
    const message = { type: 'KEEP_FILES', addresses: 'everything' }
    expect(told.asked).toEqual([{ worker: 'the active worker', message }])
  })

  test.each([
    ['in a frame', { framed: true }],
    ['without service workers', { able: false }],
  ])('%s caches nothing', async (_where, given) => {
    openPage(given)
    await keepForOffline(visit)
    expect(told.registered).toEqual([])
  })
})

describe('a waiting new build', () => {
  test('keeps waiting during a visit', async () => {
    openPage()
    await keepForOffline(visit)
    told.listeners.get('waiting')!()
    expect(told.skips).toBe(0)
    expect(told.listeners.has('controlling')).toBe(false)
  })

  test('takes over a page without a visit, which reloads', async () => {
    openPage()
    await keepForOffline(atRest)
    told.listeners.get('waiting')!()
    expect(told.skips).toBe(1)
    expect(reload).not.toHaveBeenCalled()
    told.listeners.get('controlling')!()
    expect(reload).toHaveBeenCalledTimes(1)
  })
})
