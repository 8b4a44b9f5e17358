import type { CameraCause } from '#web/wording/findings.ts'
import { thresholds } from '../thresholds.ts'
import { appAround } from './app-around.ts'
import { cameraAfter, type ListedCamera, listCameras } from './camera-list.ts'
import { isCameraDelegated } from './camera-policy.ts'
import { type Circumstances, cameraCauseOf } from './camera-problem.ts'
import { promised } from './promised.ts'

const firstLookMilliseconds = 50
const lookMilliseconds = 250

/** Which camera to open: the same one again, the next one, or a specific one by id. */
export type CameraChoice = 'same' | 'next' | { readonly id: string }

/** The page's camera. There is one video element for the lifetime of the page; screens only decide where to put it. */
export interface Camera {
  readonly video: HTMLVideoElement
  /** True if the picture is shown mirrored, as it is for every camera except rear ones. */
  mirrored(): boolean
  /** The device name that the browser reports; may be empty. */
  label(): string
  /** Milliseconds since the camera started. */
  time(): number
  /**
   * Asks for the camera. A chosen one is asked for from then on, even after it failed. Resolves to undefined, or to the reason why there is no picture:
   * `superseded` if the camera was closed or requested again in the meantime, in which case a late stream is turned off and the caller has nothing to do.
   */
  open(choice?: CameraChoice): Promise<CameraCause | 'superseded' | undefined>
  /** This device's other cameras; empty if the browser does not list them. */
  others(): Promise<readonly ListedCamera[]>
  /** Resolves with the first real picture. Never resolves if the camera is closed or requested again first. */
  firstPicture(): Promise<void>
  /** Turns the camera off. */
  close(): void
}

/**
 * Creates the camera. `onLost` is called once if a running picture ends, is muted or freezes. `preferred` is the id of the device
 * to request; if that device is missing, the browser picks another.
 */
export function createCamera(onLost: () => void, preferred: () => string | null = () => null): Camera {
  const video = videoElement()
  let stream: MediaStream | undefined
  let startedAt = 0
  let turn = 0
  const choice = createChoice(preferred)
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
    others: choice.others,
    async open(which = 'same') {
      const mine = ++turn
      const deviceId = which === 'same' ? choice.last() : await choice.choose(which)
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
        choice.runs(settingsOf(opened).deviceId)
        startedAt = performance.now()
        video.srcObject = opened
        stopWatching = watch(opened, video, lost)
        video.play().catch(() => {})
        return undefined
      } catch (error) {
        const cause = cameraCauseOf(error, await circumstances(error, performance.now() - askedAt))
        await choice.failed()
        return mine === turn ? cause : 'superseded'
      }
    },
    firstPicture() {
      const mine = turn
      return firstPicture(video, () => mine !== turn)
    },
  }
}

/**
 * Remembers which camera was chosen and which one was requested last, even if that request failed or the browser opened another one
 * instead.
 */
function createChoice(preferred: () => string | null) {
  let chosen: string | undefined
  let asked: string | undefined
  let running: string | undefined
  /** The browser does not say which camera it opens by default until it has; the first one is the most likely. */
  const lastOf = (cameras: readonly ListedCamera[]) =>
    [asked, running].find((id) => cameras.some((camera) => camera.id === id)) ?? cameras[0]?.id
  return {
    last() {
      asked = chosen ?? preferred() ?? asked
      return chosen ?? preferred() ?? undefined
    },
    async choose(choice: Exclude<CameraChoice, 'same'>) {
      if (choice === 'next') {
        const cameras = await listCameras()
        chosen = cameraAfter(cameras, lastOf(cameras))
      } else chosen = choice.id
      asked = chosen ?? asked
      return chosen
    },
    runs(id: string | undefined) {
      running = id ?? running
      asked ??= id
    },
    async failed() {
      asked ??= (await listCameras())[0]?.id
    },
    others: async () => (await listCameras()).filter(({ id }) => id !== asked),
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
    return withPictures(await navigator.mediaDevices.getUserMedia({ video, audio: false }))
  } catch (error) {
    if ((error as DOMException).name !== 'OverconstrainedError') throw error
    if (deviceId !== undefined) return request(undefined)
    return withPictures(await navigator.mediaDevices.getUserMedia({ video: true, audio: false }))
  }
}

/** Handles browsers that resolve to nothing or to a stream without a video track. */
function withPictures(stream: MediaStream | undefined): MediaStream {
  if (stream?.getVideoTracks?.()[0] !== undefined) return stream
  stopTracks(stream)
  throw new DOMException('A stream without pictures.', 'NotFoundError')
}

async function circumstances(error: unknown, refusedAfterMilliseconds: number): Promise<Circumstances> {
  const allowedByPolicy = await isCameraDelegated(window, error)
  const isInsideApp = appAround(navigator.userAgent) !== undefined
  return { permission: await permission(), allowedByPolicy, refusedAfterMilliseconds, isInsideApp }
}

const permissionMilliseconds = 1000

/** The permission state. Undefined if the browser does not answer; older Firefox and Safari do not know this permission. */
async function permission(): Promise<PermissionState | undefined> {
  const ask = () => navigator.permissions.query({ name: 'camera' as PermissionName })
  return (await promised(ask, permissionMilliseconds))?.state
}

function facingOf(stream: MediaStream | undefined): string | undefined {
  return settingsOf(stream).facingMode
}

function settingsOf(stream: MediaStream | undefined): MediaTrackSettings {
  return stream?.getVideoTracks()[0]?.getSettings?.() ?? {}
}

/** Video events that can signal a picture. No browser fires all of them for every stream. */
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

/**
 * Calls `lost` when the track ends, stays muted, or delivers no new picture. Returns a function that stops watching.
 * [Note: A camera warms up] Some cameras pause or go black again after their first picture. Reopening one would only start this over, so
 * neither counts in its first seconds. Before the first picture, the screen already offers another camera.
 */
function watch(stream: MediaStream, video: HTMLVideoElement, lost: () => void): () => void {
  const [track] = stream.getVideoTracks()
  const { lostMilliseconds, warmMilliseconds } = thresholds.camera
  const warmAt = performance.now() + warmMilliseconds
  let newestAt = Number.POSITIVE_INFINITY // freezes are only detected after the first picture
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
    mutedAt = track?.muted && lastTime > 0 ? (mutedAt ?? now) : undefined
    const muted = mutedAt !== undefined && now - mutedAt > lostMilliseconds
    const frozen = !document.hidden && now - newestAt > lostMilliseconds
    if (now >= warmAt && (muted || frozen)) lost()
  }, lookMilliseconds)
  track?.addEventListener('ended', lost)
  return () => {
    clearInterval(timer)
    track?.removeEventListener('ended', lost)
  }
}
