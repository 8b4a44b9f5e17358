import { thresholds } from '../thresholds.ts'
import { appAround } from './app-around.ts'
import { isCameraDelegated } from './camera-policy.ts'
import { type CameraCause, type Circumstances, cameraCauseOf } from './camera-problem.ts'

const firstLookMilliseconds = 50
const lookMilliseconds = 250

/** The camera of the page. There is one video element for the life of the page; screens only position it. */
export interface Camera {
  readonly video: HTMLVideoElement
  /** True if the picture is shown mirrored, as for all but rear cameras. */
  mirrored(): boolean
  /** Name of the device according to the browser; may be empty. */
  label(): string
  /** Milliseconds since the camera started. */
  time(): number
  /**
   * Requests the camera; `other` switches to the next device and remembers it. Resolves with undefined, with the reason why there is no picture, or with `superseded` if the camera was
   * closed or requested again meanwhile. In that case a stream that arrives late is stopped, and the caller has nothing to do.
   */
  open(other?: boolean): Promise<CameraCause | 'superseded' | undefined>
  /** Resolves when there is a real picture; never if the camera is closed or requested again first. */
  firstPicture(): Promise<void>
  /** Turns the camera off. */
  close(): void
}

/**
 * Creates the camera. `onLost` is called once if a running picture ends, is muted or freezes. `preferred` names the device
 * to request; if it is missing, another one is used.
 */
export function createCamera(onLost: () => void, preferred: () => string | null = () => null): Camera {
  const video = videoElement()
  let stream: MediaStream | undefined
  let startedAt = 0
  let turn = 0
  let chosen: string | undefined
  let stopWatching = () => {}
  const turnOff = () => {
    stopWatching()
    stopTracks(stream)
    stream = undefined
    video.srcObject = null
  }
  const close = () => {
    turn++ // an open permission prompt cannot be cancelled
    turnOff()
  }
  const lost = () => {
    if (stream === undefined) return
    close()
    onLost()
  }
  return {
    video,
    close,
    mirrored: () => facingOf(stream) !== 'environment',
    label: () => stream?.getVideoTracks()[0]?.label ?? '',
    time: () => Math.max(0, Math.round(performance.now() - startedAt)),
    async open(other = false) {
      const mine = ++turn
      const deviceId = other ? await nextDevice(stream, chosen) : (chosen ?? preferred() ?? undefined)
      if (mine !== turn) return 'superseded'
      turnOff()
      const askedAt = performance.now()
      try {
        const opened = await request(deviceId)
        if (mine !== turn) {
          stopTracks(opened)
          return 'superseded'
        }
        stream = opened
        if (other) chosen = deviceId
        startedAt = performance.now()
        video.srcObject = opened
        stopWatching = watch(opened, video, lost)
        video.play().catch(() => {})
        return undefined
      } catch (error) {
        const cause = cameraCauseOf(error, await circumstances(error, performance.now() - askedAt))
        return mine === turn ? cause : 'superseded'
      }
    },
    firstPicture() {
      const mine = turn
      return firstPicture(video, () => mine !== turn)
    },
  }
}

function stopTracks(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

function videoElement(): HTMLVideoElement {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.autoplay = true
  video.disablePictureInPicture = true
  video.setAttribute('aria-hidden', 'true')
  return video
}

async function request(deviceId: string | undefined): Promise<MediaStream> {
  const device = deviceId === undefined ? { facingMode: 'user' } : { deviceId: { exact: deviceId } }
  const video = { ...device, width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }
  try {
    return await navigator.mediaDevices.getUserMedia({ video, audio: false })
  } catch (error) {
    if ((error as DOMException).name !== 'OverconstrainedError') throw error
    if (deviceId !== undefined) return request(undefined)
    return navigator.mediaDevices.getUserMedia({ video: true, audio: false })
  }
}

async function circumstances(error: unknown, refusedAfterMilliseconds: number): Promise<Circumstances> {
  const allowedByPolicy = await isCameraDelegated(window, error)
  const isInsideApp = appAround(navigator.userAgent) !== undefined
  return { permission: await permission(), allowedByPolicy, refusedAfterMilliseconds, isInsideApp }
}

async function permission(): Promise<PermissionState | undefined> {
  try {
    const status = await navigator.permissions.query({ name: 'camera' as PermissionName })
    return status.state
  } catch {
    return undefined // older Firefox and Safari do not support this name
  }
}

async function nextDevice(
  stream: MediaStream | undefined,
  chosen: string | undefined,
): Promise<string | undefined> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  const cameras = devices.filter((device) => device.kind === 'videoinput')
  const current = stream?.getVideoTracks()[0]?.getSettings().deviceId ?? chosen
  const index = cameras.findIndex((device) => device.deviceId === current)
  return cameras[(index + 1) % cameras.length]?.deviceId || undefined
}

function facingOf(stream: MediaStream | undefined): string | undefined {
  return stream?.getVideoTracks()[0]?.getSettings().facingMode
}

/** Video events that may announce a picture; no browser fires all of them for every stream. */
const signsOfPicture = ['loadeddata', 'resize', 'playing'] as const

function firstPicture(video: HTMLVideoElement, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const isThere = video.readyState >= video.HAVE_CURRENT_DATA && video.videoWidth > 2
      if (!isThere && !isOver()) return
      clearInterval(timer)
      for (const sign of signsOfPicture) video.removeEventListener(sign, look)
      if (isThere && !isOver()) resolve()
    }
    const timer = setInterval(look, firstLookMilliseconds)
    for (const sign of signsOfPicture) video.addEventListener(sign, look)
    look()
  })
}

/** Calls `lost` when the track ends, stays muted, or delivers no new picture. Returns a function that stops watching. */
function watch(stream: MediaStream, video: HTMLVideoElement, lost: () => void): () => void {
  const [track] = stream.getVideoTracks()
  const { lostMilliseconds } = thresholds.camera
  let newestAt = Number.POSITIVE_INFINITY // freezing is only detected after the first picture
  let lastTime = -1
  let mutedAt: number | undefined
  const timer = setInterval(() => {
    const now = performance.now()
    if (video.paused) {
      video.play().catch(() => {}) // rejected if a screen without the stage removes the element
      newestAt = now
    }
    if (video.currentTime !== lastTime) {
      lastTime = video.currentTime
      newestAt = lastTime > 0 ? now : newestAt
    }
    mutedAt = track?.muted ? (mutedAt ?? now) : undefined
    const muted = mutedAt !== undefined && now - mutedAt > lostMilliseconds
    const frozen = !document.hidden && now - newestAt > lostMilliseconds
    if (muted || frozen) lost()
  }, lookMilliseconds)
  track?.addEventListener('ended', lost)
  return () => {
    clearInterval(timer)
    track?.removeEventListener('ended', lost)
  }
}
