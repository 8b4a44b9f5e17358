/** The canonical face that MediaPipe ships with its mesh: each landmark's position on an average head, in centimetres. */

import { decodeMessage, type Field, type Message, type Schema } from '../../workers/onnx/protobuf.ts'
import type { PackageFiles } from './packages.ts'
import { MESH_ASSETS } from './recipes.ts'

interface CanonicalFace {
  /** x (to the picture's right), y (up) and z (towards the viewer) of each of the 468 landmarks, one after another. */
  readonly vertices: readonly number[]
  /** Each landmark with its weight: the points that move least with expressions, used to fit a pose. */
  readonly basis: readonly (readonly [number, number])[]
}

const METADATA = { start: 3737848, end: 3757224 }
const LANDMARKS = 468
/** A position plus texture coordinates. */
const STRIDE = 5

const field = (name: string, kind: Field['kind'], of?: () => Schema): Field => ({
  name,
  kind,
  repeated: true,
  ...(of && { of }),
})
const mesh: Schema = { 3: field('vertexBuffer', 'float') }
const reference: Schema = { 1: { name: 'landmark', kind: 'int' }, 2: { name: 'weight', kind: 'float' } }
const metadata: Schema = {
  1: field('mesh', 'message', () => mesh),
  2: field('basis', 'message', () => reference),
}

export function readCanonicalFace(files: PackageFiles): CanonicalFace {
  const assets = files(MESH_ASSETS.package, MESH_ASSETS.path)
  const decoded = decodeMessage(metadata, assets.subarray(METADATA.start, METADATA.end))
  const buffer = (decoded.mesh as Message[])[0]?.vertexBuffer as number[]
  if (buffer.length !== LANDMARKS * STRIDE) throw new Error('The canonical face is not at its expected place')
  return {
    vertices: buffer.filter((_, index) => index % STRIDE < 3).map(shorten),
    basis: (decoded.basis as Message[]).map((item) => [
      (item.landmark as number) ?? 0,
      shorten(item.weight as number),
    ]),
  }
}

/** The shortest decimal that has the same single-precision value. */
function shorten(value: number): number {
  const digits = [3, 4, 5, 6, 7, 8, 9].find(
    (count) => Math.fround(Number(value.toPrecision(count))) === value,
  )
  return digits ? Number(value.toPrecision(digits)) : value
}
