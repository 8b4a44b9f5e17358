import type { Pose } from '#models/rules/analysis.ts'
import type { Mesh } from '#models/rules/face/mesh.ts'
import type { CanonicalFace } from '#models/rules/face/pose.ts'
import canonicalFace from '../../../models/weights/canonical-face.json' with { type: 'json' }

export const canonical = canonicalFace as unknown as CanonicalFace

const radians = Math.PI / 180

/** The face's position in the picture, and how many pixels one unit of the canonical face (a centimetre) takes. */
interface Placing {
  readonly centreX?: number
  readonly centreY?: number
  readonly pixelsPerUnit?: number
}

/**
 * The canonical face's mesh as a distant camera would see it, rotated by the given degrees. Signs follow the
 * person's own perspective, as in `Pose`: yaw to their left, pitch up, roll to their left.
 */
export function meshAt(pose: Partial<Pose>, placing: Placing = {}): Mesh {
  const { centreX = 320, centreY = 240, pixelsPerUnit = 12 } = placing
  const turned = rotated(canonical.vertices, { yaw: 0, pitch: 0, roll: 0, ...pose })
  const points = Float32Array.from(turned, (value, i) => {
    if (i % 3 === 0) return centreX + value * pixelsPerUnit
    return i % 3 === 1 ? centreY - value * pixelsPerUnit : -value * pixelsPerUnit
  })
  return { points, presence: 1 }
}

/** Roll, then pitch, then yaw about the room's axes: x right, y up, z towards the camera. */
function rotated(vertices: readonly number[], { yaw, pitch, roll }: Pose): number[] {
  const turned: number[] = []
  for (let i = 0; i < vertices.length; i += 3) {
    const [x, y, z] = vertices.slice(i, i + 3) as [number, number, number]
    const [x1, y1] = turn(x, y, -roll)
    const [y2, z1] = turn(y1, z, -pitch)
    const [x2, z2] = turn(x1, z1, -yaw)
    turned.push(x2, y2, z2)
  }
  return turned
}

/** Rotates a pair of coordinates by some degrees from the first axis towards the second. */
function turn(a: number, b: number, degrees: number): [number, number] {
  const cosine = Math.cos(degrees * radians)
  const sine = Math.sin(degrees * radians)
  return [a * cosine - b * sine, a * sine + b * cosine]
}

/** The mesh of a flat picture that shows another mesh and is held at an angle. `distance` is measured in picture widths. */
export function tilted(mesh: Mesh, degrees: { yaw: number; pitch: number }, distance = 3): Mesh {
  const points = Float32Array.from(mesh.points)
  const focal = distance * 640
  for (let i = 0; i < points.length; i += 3) {
    const [x, depthOfYaw] = turn(points[i]! - 320, 0, degrees.yaw)
    const [y, depthOfPitch] = turn(points[i + 1]! - 240, depthOfYaw, degrees.pitch)
    const scale = focal / (focal + depthOfPitch)
    points[i] = 320 + x * scale
    points[i + 1] = 240 + y * scale
  }
  return { points, presence: mesh.presence }
}
