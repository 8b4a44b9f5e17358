import type { CameraSource } from '../api.ts'

/** Frames of a camera, as this worker reads them. */
export interface CameraFrames {
  /** The newest frame, once each; undefined if none comes for a while or the camera is off. It is the caller's to close. */
  next(): Promise<VideoFrame | undefined>
  /** Leaves the camera to whoever else has it. */
  stop(): void
}

interface TrackProcessor {
  readonly readable: ReadableStream<VideoFrame>
}
type TrackProcessorClass = new (init: { track: object }) => TrackProcessor

/** So long without a frame, the last one is looked at again: a camera may rest, and a canvas that does not change sends none. */
const patienceMilliseconds = 250

/** No camera: there are no frames, and asking again at once would be in vain. */
export const noCamera: CameraFrames = { next: () => pause(patienceMilliseconds), stop() {} }

/** The class that reads tracks, in workers of WebKit; Chromium has it in pages alone. */
export function trackProcessor(): TrackProcessorClass | undefined {
  return (globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }).MediaStreamTrackProcessor
}

/**
 * Reads a camera. [Note: On demand] A processor keeps one frame and replaces it by newer ones, so a frame that is asked for is at most
 * one frame old. Reading ahead would leave the frame that came first during an analysis.
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
      // A frame that comes too late would hold one of the few places of the camera.
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
