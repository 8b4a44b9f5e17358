import { faceTriangles } from './face-triangles.ts'
import { cornersOf, type Gains, type Points } from './paint-mesh.ts'
import { between } from './sensor.ts'

type Vector = readonly [x: number, y: number, z: number]

/** One lamp and what the room adds. */
export interface Lamp {
  /** Where it is from the face: x right, y down, z away from the camera; length 1. */
  readonly towards: Vector
  /** The room's share of the light, 0...1. */
  readonly ambient: number
}

/** A lamp somewhere before the face. */
export function drawLamp(random: () => number): Lamp {
  const x = between(-0.8, 0.8, random)
  const y = between(-0.7, 0.1, random)
  const length = Math.hypot(x, y, 0.7)
  return { towards: [x / length, y / length, -0.7 / length], ambient: between(0.35, 0.6, random) }
}

/** How the light of each triangle changes when the face moves, by Lambert's law: with the cosine between normal and lamp. */
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

/** The unit normal, towards the camera where the triangle is seen. */
export function normalOf(points: Points, triangle: number): Vector {
  const [a, b, c] = cornersOf(triangle).map((i) => 3 * i) as [number, number, number]
  const at = (i: number, j: number, axis: number) => points[j + axis]! - points[i + axis]!
  const x = at(a, b, 1) * at(a, c, 2) - at(a, b, 2) * at(a, c, 1)
  const y = at(a, b, 2) * at(a, c, 0) - at(a, b, 0) * at(a, c, 2)
  const z = at(a, b, 0) * at(a, c, 1) - at(a, b, 1) * at(a, c, 0)
  const length = (z < 0 ? 1 : -1) * Math.max(1e-9, Math.hypot(x, y, z))
  return [x / length, y / length, z / length]
}
