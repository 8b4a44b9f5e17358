import { outline } from './bend.ts'
import { type Movement, sineAndCosine } from './move-face.ts'
import type { Points } from './paint-mesh.ts'

/** A position in a picture. z increases away from the camera. */
export type Place = readonly [x: number, y: number, z: number]

/** A head's measures: the face's width, the pivot for turns, and the centre of the outline. */
export interface HeadMeasures {
  readonly width: number
  readonly pivot: Place
  readonly centre: readonly [x: number, y: number]
}

const [rightCheek, leftCheek] = [234, 454]

export function measuresOf(points: Points): HeadMeasures {
  const right = placeOf(points, rightCheek)
  const left = placeOf(points, leftCheek)
  const mean = (axis: 0 | 1) => outline.reduce((sum, i) => sum + points[3 * i + axis]!, 0) / outline.length
  return {
    width: Math.hypot(left[0] - right[0], left[1] - right[1]),
    pivot: [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2, (left[2] + right[2]) / 2],
    centre: [mean(0), mean(1)],
  }
}

export function placeOf(points: Points, i: number): Place {
  return [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!]
}

/** A face's outline, scaled by `times` from its centre. */
export function outlineAt(points: Points, { centre: [x, y] }: HeadMeasures, times: number): Place[] {
  return outline.map((i) => {
    const [px, py, pz] = placeOf(points, i)
    return [x + (px - x) * times, y + (py - y) * times, pz]
  })
}

/** Turns a point around the pivot by a `share` of the yaw and pitch, yaw first. */
export function turned([x, y, z]: Place, { yaw, pitch }: Pick<Movement, 'yaw' | 'pitch'>, share = 1): Place {
  const [sinYaw, cosYaw] = sineAndCosine(yaw * share)
  const [sinPitch, cosPitch] = sineAndCosine(pitch * share)
  const across = x * cosYaw - z * sinYaw
  const deep = x * sinYaw + z * cosYaw
  return [across, y * cosPitch + deep * sinPitch, -y * sinPitch + deep * cosPitch]
}
