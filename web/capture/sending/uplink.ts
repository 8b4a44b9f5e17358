import { thresholds as t } from '#web/capture/analysis/thresholds.ts'

/** How fast this device's network takes what is handed in, as far as it was measured. */
export interface Uplink {
  /** Measures one upload; takes the number of bytes that have gone out, at each progress event. */
  measure(): (bytes: number) => void
  /** Milliseconds that an upload of this size takes; 0 before a slow one was measured. */
  takes(bytes: number): number
  /** How many bytes a picture of a step may have, so that the step arrives in time. */
  frameBytes(): number
  /** How long the pictures of a step take, in milliseconds; 0 before a slow upload was measured. */
  handInMilliseconds(): number
  /** The person may be in another network by now. Pictures stay as small as they were until it is measured. */
  forget(): void
}

/** Shorter uploads say nothing: systems take the first bytes at once, however slow the network is. */
const leastMilliseconds = 400
const leastBytes = 20_000

/** A step is to be handed in within this time. */
const stepMilliseconds = 6000
const framesOfStep = 5
/** Of the film that comes with a step. */
const filmBytes = 90_000
/** Base64, and the text around it. */
const asText = 1.37
/** Below it a picture shows too little of a face. */
const leastFrameBytes = 24_000

/** Makes the meter. [Note: The first pictures measure the network] They have no time limit. What follows is made as small as the network needs, and no smaller. */
export function createUplink(now: () => number = () => performance.now()): Uplink {
  /** Bytes a millisecond; undefined if uploads are too fast to measure. */
  let rate: number | undefined
  let isDoubtful = false
  const takes = (bytes: number) => (rate === undefined || isDoubtful ? 0 : bytes / rate)
  const frameBytes = () => {
    if (rate === undefined) return t.frameBytes
    const room = (rate * stepMilliseconds) / asText - filmBytes
    return Math.round(Math.min(t.frameBytes, Math.max(leastFrameBytes, room / framesOfStep)))
  }
  return {
    takes,
    frameBytes,
    handInMilliseconds: () => takes((framesOfStep * frameBytes() + filmBytes) * asText),
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
