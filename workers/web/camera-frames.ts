import type { CameraSource } from '../api.ts'

/** A camera's frames, as read by this worker. */
export interface CameraFrames {
  /** Returns the newest frame, each at most once, or undefined if none arrives for a while or the camera is off. The caller must close the frame. */
  next(): Promise<VideoFrame | undefined>
  /** Releases the camera. */
  stop(): void
}

interface TrackProcessor {
  readonly readable: ReadableStream<VideoFrame>
}
type TrackProcessorClass = new (init: { track: object }) => TrackProcessor

/** If no frame arrives for this long, the last one is analysed again. A camera may pause, and an unchanged canvas sends no frames. */
const patienceMilliseconds = 250

/** If there is no camera, waits before returning nothing, so that callers do not end up in a busy loop. */
export const noCamera: CameraFrames = { next: () => pause(patienceMilliseconds), stop() {} }

/** The class for reading tracks. WebKit provides it in workers, Chromium only in pages. */
export function trackProcessor(): TrackProcessorClass | undefined {
  return (globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }).MediaStreamTrackProcessor
}

/**
 * Reads a camera. [Note: On demand] A processor buffers a single frame and replaces it with newer ones, so a requested frame is at most one frame
 * old. Reading ahead would instead keep the first frame that arrived during an analysis.
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
      // A late frame that is never closed would occupy one of the camera's few buffers.
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
