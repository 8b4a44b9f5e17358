/** What is told of the camera in the device's report: a hint, and the device's word. */
export interface CameraAccount {
  readonly label: string
  /** Whether the browser lists the device that the pictures come from; null where that cannot be told. */
  readonly isListed: boolean | null
  readonly asked: AskedOfCamera
  /** What the camera answered to it. */
  readonly answered: { readonly [Name in keyof AskedOfCamera]: number | null }
  readonly openedInMilliseconds: number
}

export interface AskedOfCamera {
  readonly width: number
  readonly height: number
  readonly frameRate: number
}

const longestLabel = 120

/** Reads what a camera that was just opened tells of itself; it is asked for nothing more, which would disturb the picture. */
export async function accountOf(
  stream: MediaStream,
  asked: AskedOfCamera,
  openedInMilliseconds: number,
): Promise<CameraAccount> {
  const [track] = stream.getVideoTracks()
  const { width = null, height = null, frameRate = null, deviceId } = track?.getSettings() ?? {}
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  const isKnown = deviceId !== undefined && devices.some((device) => device.deviceId !== '')
  return {
    label: (track?.label ?? '').slice(0, longestLabel),
    isListed: isKnown ? devices.some((device) => device.deviceId === deviceId) : null,
    asked,
    answered: { width, height, frameRate },
    openedInMilliseconds: Math.round(openedInMilliseconds),
  }
}

/** How evenly pictures follow one another. */
export interface FrameTimes {
  /** Intervals between pictures. */
  readonly count: number
  readonly meanInMilliseconds: number
  readonly deviationInMilliseconds: number
}

/** Watches when the pictures of a video were taken, until it is stopped; null where the browser does not tell. */
export function watchFrameTimes(video: HTMLVideoElement): { read(): FrameTimes | null; stop(): void } {
  if (!('requestVideoFrameCallback' in video)) return { read: () => null, stop: () => {} }
  let count = 0
  let mean = 0
  let squares = 0
  let last: number | undefined
  const seen: VideoFrameRequestCallback = (_now, { mediaTime }) => {
    const interval = last === undefined ? undefined : (mediaTime - last) * 1000
    last = mediaTime
    if (interval !== undefined && interval > 0) {
      const off = interval - mean
      mean += off / ++count
      squares += off * (interval - mean)
    }
    handle = video.requestVideoFrameCallback(seen)
  }
  let handle = video.requestVideoFrameCallback(seen)
  return {
    read: () => ({
      count,
      meanInMilliseconds: mean,
      deviationInMilliseconds: count === 0 ? 0 : Math.sqrt(squares / count),
    }),
    stop: () => video.cancelVideoFrameCallback(handle),
  }
}
