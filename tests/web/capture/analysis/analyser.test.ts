import { MessageChannel, type MessagePort } from 'node:worker_threads'
import * as Comlink from 'comlink'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Analyser, type AnalysisFailure, createAnalyser } from '#web/capture/analysis/analyser.ts'
import { WrongFile } from '#workers/web/download.ts'
import { emptyAnalysis } from '../../support/analysis.ts'

const wanted = { liveness: 'light' } as const

/** How the worker behaves on each start. The last behaviour also applies to all later starts. */
type Manner = 'works' | 'cannotLoad' | 'getsPage' | 'crashes' | 'dies' | 'startsAndDies'
let manners: Manner[] = []
let started = 0
let ports: MessagePort[] = []

/** A worker that runs in this thread. */
class NearWorker extends EventTarget {
  readonly #port: MessagePort

  constructor() {
    super()
    const manner = manners[Math.min(started++, manners.length - 1)]
    const { port1, port2 } = new MessageChannel()
    ports.push(port1, port2)
    this.#port = port1
    port1.on('message', (data) => this.dispatchEvent(new MessageEvent('message', { data })))
    const load = async (_wanted?: unknown, onLoading?: (loading: object) => Promise<void>) => {
      if (manner === 'cannotLoad') throw new Error('the weights could not be loaded')
      if (manner === 'getsPage') throw new WrongFile('a page')
      if (manner === 'startsAndDies') await onLoading?.({})
      if (manner !== 'dies' && manner !== 'startsAndDies') return
      this.dispatchEvent(new Event('error'))
      await new Promise(() => {})
    }
    const follow = async () => {
      await load()
      if (manner === 'crashes') throw new Error('out of memory')
      return emptyAnalysis()
    }
    const readsTracks = async () => false
    Comlink.expose(
      { prepare: load, follow, readsTracks, forget: async () => {} },
      port2 as unknown as Comlink.Endpoint,
    )
  }

  postMessage(message: unknown, transfer: readonly MessagePort[] = []) {
    this.#port.postMessage(message, transfer)
  }

  terminate() {
    this.#port.close()
  }
}

const video = {
  videoWidth: 640,
  videoHeight: 480,
  requestVideoFrameCallback: (seen: () => void) => setTimeout(seen, 1),
} as unknown as HTMLVideoElement

/** An analyser that stops at its first picture, and what it reports. */
function analyserOf(...given: Manner[]) {
  return analyserWith([], ...given)
}

/** Waits this long before each attempt to restart a worker that did not start. */
function analyserWith(startPauses: readonly number[], ...given: Manner[]) {
  manners = given
  const failures: AnalysisFailure[] = []
  const onReading = vi.fn(async () => analyser.stop())
  const onBroken = (failure: AnalysisFailure) => {
    failures.push(failure)
    analyser.stop()
  }
  const analyser: Analyser = createAnalyser({ wanted: () => wanted, onReading, onBroken, startPauses })
  return { analyser, failures, onReading, start: () => analyser.start(video, () => 0) }
}

beforeEach(() => {
  started = 0
  ports = []
  vi.stubGlobal('Worker', NearWorker)
  vi.stubGlobal('createImageBitmap', async () => new ArrayBuffer(1))
  vi.spyOn(console, 'warn').mockImplementation(() => {}) // each worker that breaks is logged there
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const port of ports) port.close()
})

describe('the worker', () => {
  test('is not missed before it is needed', async () => {
    vi.stubGlobal('Worker', undefined)
    const { analyser } = analyserOf('works')
    await expect(analyser.prepare(wanted)).rejects.toThrow()
  })

  test.each(['cannotLoad', 'dies'] as const)('that %s is replaced at the next try', async (manner) => {
    const { analyser, failures, onReading, start } = analyserOf(manner, 'works')
    await expect(analyser.prepare(wanted)).rejects.toThrow()
    await analyser.prepare(wanted)
    start()
    await vi.waitFor(() => expect(onReading).toHaveBeenCalledOnce())
    expect(failures).toEqual([])
    expect(started).toBe(2)
  })

  test('whose script does not arrive is restarted once per pause', async () => {
    const { analyser } = analyserWith([1, 1], 'dies', 'dies', 'works')
    await analyser.prepare(wanted)
    expect(started).toBe(3)
    await expect(analyserWith([1], 'dies').analyser.prepare(wanted)).rejects.toThrow()
  })

  test.each(['cannotLoad', 'startsAndDies'] as const)(
    'that %s was there, and is not restarted by itself',
    async (manner) => {
      const { analyser } = analyserWith([1, 1], manner, 'works')
      await expect(analyser.prepare(wanted)).rejects.toThrow()
      expect(started).toBe(1)
    },
  )

  test('that gets a wrong file for a network reports it', async () => {
    const { analyser, failures, start } = analyserOf('crashes', 'getsPage')
    await analyser.prepare(wanted)
    start()
    await vi.waitFor(() => expect(failures).toEqual(['wrongFile']))
  })

  test.each(['cannotLoad', 'dies'] as const)(
    'that %s while pictures wait does not count as a slow device',
    async (manner) => {
      const { analyser, failures, start } = analyserOf(manner)
      const prepared = analyser.prepare(wanted).catch(() => {})
      start()
      await prepared
      await vi.waitFor(() => expect(failures).toEqual(['notLoaded']))
    },
  )

  test('that crashes is restarted once', async () => {
    const { analyser, failures, onReading, start } = analyserOf('crashes', 'works')
    await analyser.prepare(wanted)
    start()
    await vi.waitFor(() => expect(onReading).toHaveBeenCalledOnce())
    expect(failures).toEqual([])
  })

  test('that crashes twice is too much for the device', async () => {
    const { analyser, failures, start } = analyserOf('crashes')
    await analyser.prepare(wanted)
    start()
    await vi.waitFor(() => expect(failures).toEqual(['tooSlow']))
    expect(started).toBe(2)
  })

  test('that cannot load after a crash does not count as a slow device', async () => {
    const { analyser, failures, start } = analyserOf('crashes', 'cannotLoad')
    await analyser.prepare(wanted)
    start()
    await vi.waitFor(() => expect(failures).toEqual(['notLoaded']))
  })
})
