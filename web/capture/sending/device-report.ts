import type { Analysis } from '#workers/api.ts'

/** Collects observations about the device. They are a hint that the server stores but does not trust. */
export type DeviceReport = ReturnType<typeof createDeviceReport>

/** Creates an empty report. */
export function createDeviceReport() {
  let analyses = 0
  let withFace = 0
  let liveSum = 0
  let liveCount = 0
  const expressions: Record<string, number> = {}
  let expressionCount = 0
  let camera: string | null = null
  let before: Analysis | undefined
  let repeats = 0
  return {
    /** Records the opened camera's name, as the browser reports it. */
    opened(label: string) {
      camera = label.slice(0, longestLabel)
    },
    add(analysis: Analysis) {
      const { face } = analysis
      analyses++
      if (before !== undefined && isSame(before, analysis)) repeats++
      before = analysis
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
      camera,
      repeats,
      live: liveCount === 0 ? null : round(liveSum / liveCount),
      expressions: Object.fromEntries(
        Object.entries(expressions).map(([name, sum]) => [name, round(sum / expressionCount)]),
      ),
    }),
  }
}

const longestLabel = 200

/** True if two pictures have exactly the same brightness, which sensor noise makes rare for a real camera. */
function isSame(a: Analysis, b: Analysis): boolean {
  return a.luminance === b.luminance
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
