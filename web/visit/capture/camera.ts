import { accountOf, type CameraAccount, type FrameTimes, watchFrameTimes } from './camera-account.ts'
import { type CameraCause, cameraCauseOf } from './camera-problem.ts'
import { thresholds } from './thresholds.ts'

const firstLookMilliseconds = 50
const lookMilliseconds = 250

/** The camera of the page. The video element stays the same for the page's life; the screens only place it. */
export interface Camera {
  readonly video: HTMLVideoElement
  /** Whether people see themselves as in a mirror; a rear camera is shown as it is. */
  mirrored(): boolean
  /** Milliseconds since the camera started. */
  time(): number
  /** Asks for the camera; `other` chooses the next device. Answers undefined, or why there is no picture. */
  open(other?: boolean): Promise<CameraCause | undefined>
  /** What there is to tell of the camera; null before it was opened. */
  account(): (CameraAccount & { readonly frames: FrameTimes | null }) | null
  /** Resolves when a real picture is there. */
  firstPicture(): Promise<void>
  /** Turns the camera off. */
  close(): void
}

/**
 * Makes the camera; `onLost` is called once when a running picture ends, is muted, or freezes. `preferred` names the device
 * that is asked for; another takes its place where it is gone.
 */
export function createCamera(onLost: () => void, preferred: () => string | null = () => null): Camera {
  const video = videoElement()
  let stream: MediaStream | undefined
  let startedAt = 0
  let stopWatching = () => {}
  let account: CameraAccount | null = null
  let frames: ReturnType<typeof watchFrameTimes> | undefined
  const close = () => {
    stopWatching()
    frames?.stop()
    for (const track of stream?.getTracks() ?? []) track.stop()
    stream = undefined
    video.srcObject = null
  }
  /** Nothing waits for it. */
  const tell = (opened: MediaStream, tookMilliseconds: number) => {
    account = null
    accountOf(opened, asked, tookMilliseconds).then(
      (told) => {
        if (stream === opened) account = told
      },
      () => {},
    )
  }
  const lost = () => {
    if (stream === undefined) return
    close()
    onLost()
  }
  return {
    video,
    close,
    account: () => account && { ...account, frames: frames?.read() ?? null },
    mirrored: () => facingOf(stream) !== 'environment',
    time: () => Math.max(0, Math.round(performance.now() - startedAt)),
    async open(other = false) {
      const deviceId = other ? await nextDevice(stream) : (preferred() ?? undefined)
      close()
      const askedAt = performance.now()
      try {
        const opened = await request(deviceId)
        stream = opened
        startedAt = performance.now()
        tell(opened, startedAt - askedAt)
        video.srcObject = opened
        stopWatching = watch(opened, video, lost)
        video.play().catch(() => {})
        frames = watchFrameTimes(video)
        return undefined
      } catch (error) {
        return cameraCauseOf(error, await circumstances())
      }
    },
    firstPicture: () => firstPicture(video),
  }
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

const asked = { width: 1280, height: 720, frameRate: 30 } as const

async function request(deviceId: string | undefined): Promise<MediaStream> {
  const device = deviceId === undefined ? { facingMode: 'user' } : { deviceId: { exact: deviceId } }
  const { width, height, frameRate } = asked
  const ideals = { width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: frameRate } }
  const video = { ...device, ...ideals }
  try {
    return await navigator.mediaDevices.getUserMedia({ video, audio: false })
  } catch (error) {
    if ((error as DOMException).name !== 'OverconstrainedError') throw error
    return navigator.mediaDevices.getUserMedia({ video: true, audio: false })
  }
}

async function circumstances() {
  return { permission: await permission(), allowedByPolicy: allowedByPolicy() }
}

async function permission(): Promise<PermissionState | undefined> {
  try {
    const status = await navigator.permissions.query({ name: 'camera' as PermissionName })
    return status.state
  } catch {
    return undefined // Firefox and older Safari do not know the name
  }
}

function allowedByPolicy(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } }
  return featurePolicy?.allowsFeature('camera') ?? true
}

async function nextDevice(stream: MediaStream | undefined): Promise<string | undefined> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  const cameras = devices.filter((device) => device.kind === 'videoinput')
  const current = stream?.getVideoTracks()[0]?.getSettings().deviceId
  const index = cameras.findIndex((device) => device.deviceId === current)
  return cameras[(index + 1) % cameras.length]?.deviceId || undefined
}

function facingOf(stream: MediaStream | undefined): string | undefined {
  return stream?.getVideoTracks()[0]?.getSettings().facingMode
}

function firstPicture(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (video.readyState >= video.HAVE_CURRENT_DATA && video.videoWidth > 2) resolve()
      else if (video.srcObject !== null) setTimeout(look, firstLookMilliseconds)
    }
    look()
  })
}

/** Calls `lost` when the track ends, stays muted, or shows no new picture; answers how to stop watching. */
function watch(stream: MediaStream, video: HTMLVideoElement, lost: () => void): () => void {
  const [track] = stream.getVideoTracks()
  const { lostMilliseconds } = thresholds.camera
  let newestAt = Number.POSITIVE_INFINITY // nothing can freeze before it has moved
  let lastTime = -1
  let mutedAt: number | undefined
  const timer = setInterval(() => {
    const now = performance.now()
    if (video.paused) {
      video.play().catch(() => {}) // taken out of the document by a screen without the stage
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
