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
  return {
    add({ face }: Analysis) {
      analyses++
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
      live: liveCount === 0 ? null : round(liveSum / liveCount),
      expressions: Object.fromEntries(
        Object.entries(expressions).map(([name, sum]) => [name, round(sum / expressionCount)]),
      ),
    }),
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
