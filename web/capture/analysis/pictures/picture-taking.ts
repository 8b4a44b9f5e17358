import { followedLongestSide } from '#models/rules/analysis.ts'
import type { Effort, Pace } from '../pace/pace.ts'

/** The picture for the worker, and the original if the worker's copy was reduced. */
export interface Pictures {
  readonly sent: ImageBitmap
  readonly kept?: ImageBitmap
}

/**
 * [Note: A picture that is copied] In WebKit a large picture takes as long to reach the worker as one network takes, as if it were
 * copied. It is therefore reduced first, and the full picture is only encoded for submission.
 */
export async function takePicture(
  video: HTMLVideoElement | HTMLCanvasElement,
  pace: Pace,
): Promise<Pictures> {
  const whole = await createImageBitmap(video, sizeFor(video, pace.effort()))
  const longest = Math.max(whole.width, whole.height)
  if (!pace.isCopying() || longest <= followedLongestSide) return { sent: whole }
  return { sent: await createImageBitmap(whole, scaledBy(whole, followedLongestSide / longest)), kept: whole }
}

function sizeFor(source: HTMLVideoElement | HTMLCanvasElement, { shortSide }: Effort): ImageBitmapOptions {
  const [width, height] =
    'videoWidth' in source ? [source.videoWidth, source.videoHeight] : [source.width, source.height]
  const short = Math.min(width, height)
  return shortSide === undefined || short <= shortSide ? {} : scaledBy({ width, height }, shortSide / short)
}

function scaledBy({ width, height }: { width: number; height: number }, scale: number): ImageBitmapOptions {
  return {
    resizeWidth: Math.round(width * scale),
    resizeHeight: Math.round(height * scale),
    resizeQuality: 'medium',
  }
}
