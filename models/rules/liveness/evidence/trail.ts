import type { Box, Pose } from '#models/rules/analysis.ts'

/** What the server's own analysis found in one small picture of the trail. No picture is in it. */
export interface TrailPoint {
  /** Milliseconds since the camera started: the device's word, a hint. */
  readonly time: number
  /** The server's clock, milliseconds since 1970. */
  readonly receivedAt: number
  readonly luminance: number
  readonly face: { readonly box: Box; readonly pose: Pose; readonly width: number } | null
}
