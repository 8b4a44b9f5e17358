import { thresholds as t } from '#web/capture/analysis/thresholds.ts'

/** Estimates how fast this device's network can upload pictures. */
export interface Uplink {
  /** Measures one upload. Call the returned function at each progress event with the number of bytes sent so far. */
  measure(): (bytes: number) => void
  /** How many milliseconds an upload of this size takes; 0 until a slow one has been measured. */
  takes(bytes: number): number
  /** How many bytes each of a step's pictures may have if the step is to arrive in time. */
  frameBytes(): number
  /** How many milliseconds a step's pictures take to upload; 0 until a slow upload has been measured. */
  handInMilliseconds(): number
  /** Call this when the person may have changed networks. Pictures stay as small as they were until the new network is measured. */
  forget(): void
}

/** Shorter uploads say nothing: the operating system accepts the first bytes immediately, however slow the network is. */
const leastMilliseconds = 400
const leastBytes = 20_000

/** A step should be uploaded within this time. */
const stepMilliseconds = 6000
const framesOfStep = 5
/** The size of the film that is sent along with a step. */
const filmBytes = 90_000
/** Adds 5 % for the multipart headers that come with each picture. */
const withHeads = 1.05
/** Smaller pictures would not show enough of the face. */
const leastFrameBytes = 24_000

/** [Note: The first pictures measure the network] They have no time limit. Later pictures are made only as small as the network requires. */
export function createUplink(now: () => number = () => performance.now()): Uplink {
  /** In bytes per millisecond; undefined if uploads are too fast to measure. */
  let rate: number | undefined
  let isDoubtful = false
  const takes = (bytes: number) => (rate === undefined || isDoubtful ? 0 : bytes / rate)
  const frameBytes = () => {
    if (rate === undefined) return t.frameBytes
    const room = (rate * stepMilliseconds) / withHeads - filmBytes
    return Math.round(Math.min(t.frameBytes, Math.max(leastFrameBytes, room / framesOfStep)))
  }
  return {
    takes,
    frameBytes,
    handInMilliseconds: () => takes((framesOfStep * frameBytes() + filmBytes) * withHeads),
    forget() {
      isDoubtful = true
    },
    measure() {
      let first: { readonly bytes: number; readonly at: number } | undefined
      return (bytes) => {
        const at = now()
        first ??= { bytes, at }
        const [more, took] = [bytes - first.bytes, at - first.at]
        if (more < leastBytes) return
        rate = took < leastMilliseconds ? undefined : more / took
        isDoubtful = false
      }
    },
  }
}
