import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AnalysisHost } from '#web/capture/analysis/analysis-host.ts'
import { createPace } from '#web/capture/analysis/pace/pace.ts'
import { openPictureSource } from '#web/capture/analysis/pictures/picture-source.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { emptyAnalysis } from '../../../support/analysis.ts'

/** A worker that answers immediately and records its requests. */
function hostOf({ readsTracks = false, takesSources = true } = {}) {
  const api = {
    readsTracks: vi.fn(async () => readsTracks),
    readCamera: vi.fn(async (_source: unknown) => {
      if (!takesSources) throw new DOMException('cannot be cloned', 'DataCloneError')
    }),
    followCamera: vi.fn(async () => ({
      analysis: { ...emptyAnalysis(), durations: { worker: 5 } },
      takenAt: performance.timeOrigin + performance.now() - 40,
      waited: 3,
    })),
    follow: vi.fn(async () => emptyAnalysis()),
  }
  const host = { api, within: <T>(answer: T) => answer, isDead: () => false } as unknown as AnalysisHost
  return { api, host }
}

const clone = new MessageChannel().port1
const track = { clone: vi.fn(() => clone) }
const video = {
  videoWidth: 640,
  videoHeight: 480,
  srcObject: { getVideoTracks: () => [track] },
  requestVideoFrameCallback: (seen: () => void) => setTimeout(seen, 1),
} as unknown as HTMLVideoElement

const open = (host: AnalysisHost) => openPictureSource(host, video, createPace(), () => 1000)

beforeEach(
  () =>
    void vi.stubGlobal(
      'createImageBitmap',
      vi.fn(async () => new ArrayBuffer(1)),
    ),
)
afterEach(() => {
  vi.unstubAllGlobals()
  track.clone.mockClear()
})

describe('pictures of the camera', () => {
  test('are read by the worker if the page can make a stream of them', async () => {
    const readable = new ReadableStream()
    vi.stubGlobal(
      'MediaStreamTrackProcessor',
      vi.fn(function processor() {
        return { readable }
      }),
    )
    const { api, host } = hostOf()
    const source = await open(host)
    expect(api.readCamera).toHaveBeenCalledWith(readable)
    const picture = await source.next({})
    expect(picture?.time).toBeGreaterThanOrEqual(930)
    expect(picture?.time).toBeLessThanOrEqual(960)
    expect(picture?.waited).toBe(3)
    expect(createImageBitmap).not.toHaveBeenCalled()
    source.stop()
    expect(api.readCamera).toHaveBeenLastCalledWith(null)
  })

  test('are read by the worker if it can read a copy of the track', async () => {
    const { api, host } = hostOf({ readsTracks: true })
    await (await open(host)).next({})
    expect(api.readCamera.mock.calls[0]![0]).toBe(clone)
    expect(api.followCamera).toHaveBeenCalled()
  })

  test('are taken by the page if the frames are rotated', async () => {
    const { api, host } = hostOf({ readsTracks: true })
    const upright = { ...video, videoWidth: 480, videoHeight: 640 } as unknown as HTMLVideoElement
    const source = await openPictureSource(host, upright, createPace(), () => 1000)
    expect(await source.next({})).toMatchObject({ time: 1000 })
    expect(api.readCamera).toHaveBeenLastCalledWith(null)
    await source.next({})
    expect(api.followCamera).toHaveBeenCalledOnce()
  })

  test('are taken by the page if the worker gets no frames', async () => {
    const { api, host } = hostOf({ readsTracks: true })
    api.followCamera.mockResolvedValue(undefined as never)
    const source = await open(host)
    for (let look = 1; look < thresholds.camera.framelessLooks; look++)
      expect(await source.next({})).toBeUndefined()
    expect(await source.next({})).toMatchObject({ time: 1000 })
    expect(api.readCamera).toHaveBeenLastCalledWith(null)
  })

  test.each([
    ['neither can', {}],
    ['the track cannot be transferred', { readsTracks: true, takesSources: false }],
  ])('are taken by the page if %s', async (_name, given) => {
    const { api, host } = hostOf(given)
    const source = await open(host)
    expect(await source.next({})).toMatchObject({ time: 1000 })
    expect(api.follow).toHaveBeenCalled()
    expect(api.followCamera).not.toHaveBeenCalled()
    expect(createImageBitmap).toHaveBeenCalled()
  })
})
