import type { Camera } from '#web/visit/capture/camera.ts'
import type { FrameTimes } from '#web/visit/capture/camera-account.ts'
import type { Analysis } from '#workers/api.ts'

/** Gathers what the device saw; a hint that the server stores and never believes. */
export type DeviceReport = ReturnType<typeof createDeviceReport>

/** Makes an empty report. */
export function createDeviceReport() {
  let analyses = 0
  let withFace = 0
  let liveSum = 0
  let liveCount = 0
  const expressions: Record<string, number> = {}
  let expressionCount = 0
  let lastLuminance: number | undefined
  const repeats = { compared: 0, same: 0 }
  let camera: Camera['account'] = () => null
  return {
    /** Adds a picture of this camera. */
    add({ face, luminance }: Analysis, account: Camera['account']) {
      camera = account
      analyses++
      if (lastLuminance !== undefined) repeats.compared++
      // A sensor's noise alone moves the mean of all pixels.
      if (lastLuminance === luminance) repeats.same++
      lastLuminance = luminance
      if (face === undefined) return
      withFace++
      if (face.live !== undefined) {
        liveSum += face.live.raw
        liveCount++
      }
      if (face.expressions === undefined) return
      expressionCount++
      for (const [name, share] of Object.entries(face.expressions)) {
        expressions[name] = (expressions[name] ?? 0) + share
      }
    },
    read: () => ({
      analyses,
      withFace,
      camera: cameraOf(camera(), { ...repeats }),
      live: liveCount === 0 ? null : round(liveSum / liveCount),
      expressions: Object.fromEntries(
        Object.entries(expressions).map(([name, sum]) => [name, round(sum / expressionCount)]),
      ),
    }),
  }
}

function cameraOf(account: ReturnType<Camera['account']>, repeats: { compared: number; same: number }) {
  if (account === null) return null
  const { frames, ...rest } = account
  return { ...rest, ...(frames && { frames: roundedAll(frames) }), repeats }
}

function roundedAll({ count, meanInMilliseconds, deviationInMilliseconds }: FrameTimes): FrameTimes {
  return {
    count,
    meanInMilliseconds: round(meanInMilliseconds),
    deviationInMilliseconds: round(deviationInMilliseconds),
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
