import { faceTriangles } from './face-triangles.ts'
import { cornersOf, type Gains, type Points } from './paint-mesh.ts'
import { between } from './sensor.ts'

type Vector = readonly [x: number, y: number, z: number]

/** A single lamp plus the room's ambient light. */
export interface Lamp {
  /** The direction from the face to the lamp as a unit vector: x right, y down, z away from the camera. */
  readonly towards: Vector
  /** The ambient share of the light, 0...1. */
  readonly ambient: number
}

/** Places a lamp at random in front of the face. */
export function drawLamp(random: () => number): Lamp {
  const x = between(-0.8, 0.8, random)
  const y = between(-0.7, 0.1, random)
  const length = Math.hypot(x, y, 0.7)
  return { towards: [x / length, y / length, -0.7 / length], ambient: between(0.35, 0.6, random) }
}

/** How each triangle's light changes when the face moves. By Lambert's law, it is proportional to the cosine between the normal and the lamp. */
export function lambert(from: Points, to: Points, lamp: Lamp): Gains {
  return Float32Array.from({ length: faceTriangles.length / 3 }, (_, triangle) => {
    const change = lightOn(to, triangle, lamp) / lightOn(from, triangle, lamp)
    return Math.min(1.6, Math.max(0.5, change))
  })
}

function lightOn(points: Points, triangle: number, { towards, ambient }: Lamp): number {
  const [x, y, z] = normalOf(points, triangle)
  const cosine = x * towards[0] + y * towards[1] + z * towards[2]
  return ambient + (1 - ambient) * Math.max(0, cosine)
}

/** A triangle's unit normal, which points towards the camera if the triangle is visible. */
function normalOf(points: Points, triangle: number): Vector {
  const [x, y, z] = crossed(points, cornersOf(triangle))
  const length = Math.max(1e-9, Math.hypot(x, y, z))
  return [x / length, y / length, z / length]
}

/** The normal towards the camera. Its length is twice the triangle's area. */
function crossed(points: Points, corners: readonly [number, number, number]): Vector {
  const [a, b, c] = corners.map((i) => 3 * i) as [number, number, number]
  const at = (i: number, j: number, axis: number) => points[j + axis]! - points[i + axis]!
  const x = at(a, b, 1) * at(a, c, 2) - at(a, b, 2) * at(a, c, 1)
  const y = at(a, b, 2) * at(a, c, 0) - at(a, b, 0) * at(a, c, 2)
  const z = at(a, b, 0) * at(a, c, 1) - at(a, b, 1) * at(a, c, 0)
  const sign = z < 0 ? 1 : -1
  return [sign * x, sign * y, sign * z]
}

/**
 * The light at each of a mesh's corners by Lambert's law, using the mean normal of the adjacent triangles. It is a factor between the ambient
 * share and 1.
 */
export function lightAtCorners(
  points: Points,
  triangles: Uint32Array,
  { towards, ambient }: Lamp,
): Float32Array {
  const normals = new Float32Array(points.length)
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!] as const
    const normal = crossed(points, corners)
    for (const corner of corners) {
      for (const axis of [0, 1, 2] as const)
        normals[3 * corner + axis] = normals[3 * corner + axis]! + normal[axis]
    }
  }
  return Float32Array.from({ length: points.length / 3 }, (_, i) => {
    const [x, y, z] = [normals[3 * i]!, normals[3 * i + 1]!, normals[3 * i + 2]!]
    const cosine = (x * towards[0] + y * towards[1] + z * towards[2]) / (Math.hypot(x, y, z) || 1)
    return ambient + (1 - ambient) * Math.max(0, cosine)
  })
}
