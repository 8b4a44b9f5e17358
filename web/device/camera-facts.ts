import type { CameraFacts } from '#shared/browsers/device-report.ts'
import type { Camera } from '#web/capture/analysis/camera/camera.ts'

const watchedMilliseconds = 2000

/** Opens the camera the way a visit does and measures it. The camera stays open, because its pictures are analysed next. */
export async function readCamera(camera: Camera): Promise<CameraFacts> {
  const problem = (await camera.open()) ?? null
  const devices = (await navigator.mediaDevices?.enumerateDevices().catch(() => undefined)) ?? []
  const cameras = devices.filter(({ kind }) => kind === 'videoinput').length
  const nothing = { width: null, height: null, facing: null, promisedRate: null, measuredRate: null }
  if (problem !== null) return { problem, cameras, ...nothing }
  await camera.firstPicture()
  const { width, height, facingMode, frameRate } = settingsOf(camera.video)
  return {
    problem,
    cameras,
    width: width ?? camera.video.videoWidth,
    height: height ?? camera.video.videoHeight,
    facing: facingMode ?? null,
    promisedRate: frameRate === undefined ? null : Math.round(frameRate),
    measuredRate: await measuredRate(camera.video),
  }
}

/** Picks individual track settings. The remaining ones include the camera's name. */
function settingsOf({ srcObject }: HTMLVideoElement): MediaTrackSettings {
  return (srcObject as MediaStream).getVideoTracks()[0]?.getSettings() ?? {}
}

async function measuredRate(video: HTMLVideoElement): Promise<number | null> {
  if (!('requestVideoFrameCallback' in video)) return null
  let pictures = 0
  let isOver = false
  const see = () => {
    pictures++
    if (!isOver) video.requestVideoFrameCallback(see)
  }
  const from = performance.now()
  video.requestVideoFrameCallback(see)
  await new Promise((over) => setTimeout(over, watchedMilliseconds))
  isOver = true
  return Math.round((pictures * 1000) / (performance.now() - from))
}
