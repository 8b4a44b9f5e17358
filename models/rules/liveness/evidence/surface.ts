import type { Surface } from '#models/rules/analysis.ts'

/** The side of the picture that shows a face and its surroundings, in pixels. */
export const surfaceExtent = 128

/** A face in one of a request's pictures. */
export interface Sight {
  readonly surface: Surface
  /** 468 points as flat x, y, z, in frame pixels. */
  readonly landmarks: ArrayLike<number>
  readonly pose: { readonly yaw: number; readonly pitch: number }
}
