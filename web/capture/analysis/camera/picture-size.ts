import { thresholds } from '../thresholds.ts'

const lookMilliseconds = 100

/**
 * True once the camera's pictures are large enough to judge; false if they stay too small. Some cameras start small and grow, so it
 * waits for a moment, unless `isOver` returns true.
 */
export async function isLargeEnough(
  video: Pick<HTMLVideoElement, 'videoWidth' | 'videoHeight'>,
  isOver: () => boolean,
): Promise<boolean> {
  const { leastPixels, growingMilliseconds } = thresholds.camera
  const isLarge = () => Math.min(video.videoWidth, video.videoHeight) >= leastPixels
  for (let waited = 0; !isLarge() && waited < growingMilliseconds && !isOver(); waited += lookMilliseconds)
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds))
  return isLarge()
}
