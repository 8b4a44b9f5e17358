import * as Comlink from 'comlink'
import type { Analysis, AnalysisStages } from '#workers/api.ts'
import type { AnalysisHost } from '../analysis-host.ts'
import type { Pace } from '../pace/pace.ts'
import { thresholds as t } from '../thresholds.ts'
import { readCameraIn } from './camera-feed.ts'
import { takePicture } from './picture-taking.ts'

/** A camera picture and its analysis. Times are in milliseconds. */
export interface SourcedPicture {
  readonly analysis: Analysis
  /** Time since the camera started. */
  readonly time: number
  readonly waited: number
  /** Time from receiving the camera's picture to receiving the answer. */
  readonly took: number
  /** How much of `took` was spent between the page and the worker. */
  readonly way: number
  /** The full picture, if the worker received a reduced one. */
  readonly kept?: ImageBitmap
}

/** Supplies analysed camera pictures. */
export interface PictureSource {
  /** Analyses the next picture; undefined if none is available. */
  next(wanted: AnalysisStages): Promise<SourcedPicture | undefined>
  /** Stops the worker from reading the camera. */
  stop(): void
}

/**
 * Opens the camera's pictures for a worker. [Note: The page only draws] If the browser supports it, the worker reads the camera itself,
 * because creating bitmaps takes longer than the networks and blocks rendering. If the worker receives no frames, or rotated
 * ones, the page takes the pictures instead.
 */
export async function openPictureSource(
  host: AnalysisHost,
  video: HTMLVideoElement,
  pace: Pace,
  time: () => number,
): Promise<PictureSource> {
  const bitmaps = bitmapsOf(host, video, pace, time)
  const stop = await readCameraIn(host, video)
  if (stop === undefined) return { next: bitmaps, stop() {} }
  const frames = framesOf(host, time)
  let looks = 0
  let next: PictureSource['next'] = async (wanted) => {
    const picture = await frames(wanted)
    looks++
    const isUsable = picture !== undefined && !isTurned(picture.analysis, video)
    if (!isUsable && (picture !== undefined || looks === t.camera.framelessLooks)) {
      stop()
      next = bitmaps
      return bitmaps(wanted)
    }
    if (isUsable) next = frames
    return picture
  }
  return { next: (wanted) => next(wanted), stop }
}

/** [Note: Frames as the sensor has them] A phone held upright may rotate pictures only for display in a video element. */
function isTurned({ width, height }: Analysis, { videoWidth, videoHeight }: HTMLVideoElement): boolean {
  return videoWidth !== 0 && width > height !== videoWidth > videoHeight && width !== height
}

function framesOf(host: AnalysisHost, time: () => number): PictureSource['next'] {
  return async (wanted) => {
    const askedAt = performance.now()
    const found = await host.within(host.api.followCamera(wanted))
    if (found === undefined) return undefined
    const { analysis, takenAt, waited } = found
    const now = performance.now()
    const took = now - askedAt - waited
    const age = Math.max(0, performance.timeOrigin + now - takenAt)
    return {
      analysis,
      waited,
      took,
      time: Math.max(0, time() - Math.round(age)),
      way: took - workerTimeOf(analysis),
    }
  }
}

function bitmapsOf(
  host: AnalysisHost,
  video: HTMLVideoElement,
  pace: Pace,
  time: () => number,
): PictureSource['next'] {
  let isFirst = true
  return async (wanted) => {
    const waitsFrom = performance.now()
    // The first picture is already available, and the person is waiting for a hint.
    if (!isFirst) await nextPicture(video)
    isFirst = false
    if (video.videoWidth === 0) return undefined
    const takenAt = time()
    const startedAt = performance.now()
    const { sent, kept } = await takePicture(video, pace)
    const sentAt = performance.now()
    const analysis = await host.within(host.api.follow(Comlink.transfer(sent, [sent]), wanted))
    const now = performance.now()
    return {
      analysis,
      time: takenAt,
      waited: startedAt - waitsFrom,
      took: now - startedAt,
      way: now - sentAt - workerTimeOf(analysis),
      ...(kept && { kept }),
    }
  }
}

function workerTimeOf({ durations }: Analysis): number {
  return durations.worker ?? 0
}

const pictureMilliseconds = 250

/** Resolves at the video's next picture, or after a while, because hidden and slow videos may never announce one. */
function nextPicture(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pictureMilliseconds)
    const seen = () => {
      clearTimeout(timer)
      resolve()
    }
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(seen)
    else requestAnimationFrame(seen)
  })
}
