import type { CameraSource } from '../api.ts'

/** Frames of a camera, as this worker reads them. */
export interface CameraFrames {
  /** The newest frame, each at most once; undefined if none arrives for a while or the camera is off. The caller must close it. */
  next(): Promise<VideoFrame | undefined>
  /** Releases the camera. */
  stop(): void
}

interface TrackProcessor {
  readonly readable: ReadableStream<VideoFrame>
}
type TrackProcessorClass = new (init: { track: object }) => TrackProcessor

/** Without a frame for this long, the last one is analysed again: a camera may pause, and an unchanged canvas sends no frames. */
const patienceMilliseconds = 250

/** Without a camera, waits before returning nothing, so that callers do not poll in a busy loop. */
export const noCamera: CameraFrames = { next: () => pause(patienceMilliseconds), stop() {} }

/** The class that reads tracks. Available in workers of WebKit; Chromium provides it only in pages. */
export function trackProcessor(): TrackProcessorClass | undefined {
  return (globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }).MediaStreamTrackProcessor
}

/**
 * Reads a camera. [Note: On demand] A processor keeps one frame and replaces it by newer ones, so a frame that is
 * requested is at most one frame old. Reading ahead would keep the first frame that arrived during an analysis.
 */
export function readCameraFrames(source: CameraSource): CameraFrames {
  const track = source instanceof ReadableStream ? undefined : (source as { stop(): void })
  const frames =
    track === undefined ? (source as ReadableStream<VideoFrame>) : new (trackProcessor()!)({ track }).readable
  const reader = frames.getReader()
  let pending: Promise<VideoFrame | undefined> | undefined
  let isOff = false
  const read = async () => {
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    isOff ||= value === undefined
    return value
  }
  return {
    async next() {
      if (isOff) return pause(patienceMilliseconds)
      pending ??= read()
      const came = pending
      const frame = await Promise.race([came, pause(patienceMilliseconds)])
      if (frame !== undefined && pending === came) pending = undefined
      return frame
    },
    stop() {
      isOff = true
      // An unclosed late frame would occupy one of the camera's few buffers.
      pending?.then((frame) => frame?.close())
      pending = undefined
      reader.cancel().catch(() => {})
      track?.stop()
    },
  }
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds))
}
