import { afterEach, describe, expect, test, vi } from 'vitest'
import { readCameraFrames } from '#workers/web/camera-frames.ts'

/** A frame that records whether it was closed. */
const frameOf = (id: number) => ({ id, close: vi.fn() }) as unknown as VideoFrame & { id: number }

/** A camera that the test pushes frames into. Like a processor, it only keeps the newest one. */
function cameraOf() {
  let kept: VideoFrame | undefined
  let isRead = () => {}
  const cancelled = vi.fn()
  const stream = new ReadableStream<VideoFrame>(
    {
      async pull(controller) {
        if (kept === undefined) await new Promise<void>((resolve) => (isRead = resolve))
        controller.enqueue(kept!)
        kept = undefined
      },
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  )
  const push = (id: number) => {
    kept = frameOf(id)
    isRead()
  }
  return { stream, push, cancelled }
}

const idOf = (frame: VideoFrame | undefined) => (frame as { id: number } | undefined)?.id

afterEach(() => vi.unstubAllGlobals())

describe('frames of a camera', () => {
  test('are the newest on request, each once', async () => {
    const { stream, push } = cameraOf()
    const frames = readCameraFrames(stream)
    push(1)
    expect(idOf(await frames.next())).toBe(1)
    push(2)
    push(3)
    expect(idOf(await frames.next())).toBe(3)
  })

  test('are waited for, but not forever', async () => {
    const { stream, push } = cameraOf()
    const frames = readCameraFrames(stream)
    expect(await frames.next()).toBeUndefined()
    const next = frames.next()
    push(1)
    expect(idOf(await next)).toBe(1)
  })

  test('end with the camera', async () => {
    const frames = readCameraFrames(new ReadableStream({ start: (controller) => controller.close() }))
    expect(await frames.next()).toBeUndefined()
    expect(await frames.next()).toBeUndefined()
  })

  test('are closed if they arrive after the end, because a camera has few buffers', async () => {
    const frame = frameOf(1)
    const reads: ((result: { value: VideoFrame; done: boolean }) => void)[] = []
    const reader = { read: () => new Promise((resolve) => reads.push(resolve)), cancel: async () => {} }
    const stream = Object.assign(new ReadableStream<VideoFrame>(), { getReader: () => reader })
    const frames = readCameraFrames(stream)
    await frames.next()
    frames.stop()
    reads[0]!({ value: frame, done: false })
    await vi.waitFor(() => expect(frame.close).toHaveBeenCalled())
    expect(await frames.next()).toBeUndefined()
  })

  test('of a track come from the worker’s own processor, and the track is stopped', async () => {
    const { stream, push } = cameraOf()
    const track = { stop: vi.fn() }
    const Processor = vi.fn(function processor() {
      return { readable: stream }
    })
    vi.stubGlobal('MediaStreamTrackProcessor', Processor)
    const frames = readCameraFrames(track)
    expect(Processor).toHaveBeenCalledWith({ track })
    push(1)
    expect(idOf(await frames.next())).toBe(1)
    frames.stop()
    expect(track.stop).toHaveBeenCalled()
  })
})
