import { createHmac } from 'node:crypto'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { signatureSide } from '#models/rules/liveness/scene-signature.ts'

/**
 * How many numbers a picture's sketch has: keyed sums over its 8 x 8 luminances. [Note: Coarse on purpose] Re-encoding, scaling, noise and a
 * cropped border change them little, and 20 sums over 64 cells do not show a face.
 */
const numbers = 20
/** How many of these numbers are remembered with a film. */
export const comparedNumbers = 8
const blockSide = 8
const stepsPerLevel = 4

/** The movements that identify a film: changes within one second. */
const movement = { withinMilliseconds: 1000, slackMilliseconds: 90, leastLevels: 2 } as const

/** A film picture with its numbers, in levels from 0 to 255. */
export interface SketchedPicture {
  /** The picture's position in the film. */
  readonly index: number
  /** In milliseconds, as reported by the device. */
  readonly time: number
  readonly numbers: readonly number[]
}

/** A movement within a film, and the signs that identify it. */
export interface SketchedMovement {
  /** The picture at its end. */
  readonly picture: SketchedPicture
  /** The signs of the changes, followed by variants in which one of the two least certain signs is flipped. */
  readonly signs: readonly string[]
}

/** A sign of +1 or -1 for each number and cell, from the server's key. Without the key, a change's effect on a sketch is unpredictable. */
export function sketchSigns(key: Uint8Array): Int8Array {
  const cells = blockSide * blockSide
  const bits = Buffer.concat(
    Array.from({ length: Math.ceil((numbers * cells) / 512) }, (_, block) =>
      createHmac('sha512', key).update(`block ${block}`).digest(),
    ),
  )
  return Int8Array.from({ length: numbers * cells }, (_, i) => ((bits[i >> 3]! >> (i & 7)) & 1 ? 1 : -1))
}

/** Encodes a picture's numbers as text, for its session's record. */
export function sketchOf(signature: Float32Array, signs: Int8Array): string {
  const cells = cellsOf(signature)
  const found = Int16Array.from({ length: numbers }, (_, row) => {
    let sum = 0
    for (let i = 0; i < cells.length; i++) sum += signs[row * cells.length + i]! * cells[i]!
    return Math.max(-32768, Math.min(32767, Math.round((sum / signatureSide) * stepsPerLevel)))
  })
  return Buffer.from(found.buffer).toString('base64url')
}

/** Sums the luminances in each block. */
function cellsOf(signature: Float32Array): Float32Array {
  const cells = new Float32Array(blockSide * blockSide)
  const size = signatureSide / blockSide
  for (let i = 0; i < signature.length; i++) {
    const [column, row] = [i % signatureSide, Math.floor(i / signatureSide)]
    cells[Math.floor(row / size) * blockSide + Math.floor(column / size)]! += signature[i]!
  }
  return cells
}

/** A film's pictures that have a sketch, sorted by time. */
export function sketchedPictures(film: readonly TrailPoint[]): SketchedPicture[] {
  const found = film.flatMap(({ sketch, time }, index) => {
    if (sketch === undefined) return []
    const bytes = Uint8Array.from(Buffer.from(sketch, 'base64url'))
    return [{ index, time, numbers: Array.from(new Int16Array(bytes.buffer), (n) => n / stepsPerLevel) }]
  })
  return found.sort((a, b) => a.time - b.time)
}

/** A film's movements with distinct signs, most certain first, because re-encoding rarely changes their signs. */
export function movementsIn(film: readonly SketchedPicture[]): SketchedMovement[] {
  const found = film.flatMap((picture) => {
    const before = nearest(film, picture.time - movement.withinMilliseconds)
    if (before === undefined) return []
    const change = picture.numbers.map((value, k) => value - before.numbers[k]!)
    const level = Math.sqrt(change.reduce((sum, value) => sum + value ** 2, 0) / change.length)
    if (level < movement.leastLevels) return []
    const weakest = [...change.keys()].sort((a, b) => Math.abs(change[a]!) - Math.abs(change[b]!))
    const certainty = Math.abs(change[weakest[0]!]!) / Math.max(level, 1.5 * movement.leastLevels)
    const signs = [undefined, weakest[0], weakest[1]].map((turned) => signsOf(change, turned))
    return [{ picture, signs, certainty }]
  })
  const first = new Map<string, SketchedMovement>()
  for (const { picture, signs } of found.sort((a, b) => b.certainty - a.certainty))
    if (!first.has(signs[0]!)) first.set(signs[0]!, { picture, signs })
  return [...first.values()]
}

function signsOf(change: readonly number[], turned: number | undefined): string {
  return change.map((value, k) => (value > 0 !== (k === turned) ? '+' : '-')).join('')
}

/** The picture nearest to a given time, or undefined if none is close enough. `film` is sorted by time. */
export function nearest<T extends { readonly time: number }>(
  film: readonly T[],
  time: number,
  within: number = movement.slackMilliseconds,
): T | undefined {
  let [low, high] = [0, film.length]
  while (low < high) {
    const mid = (low + high) >> 1
    if (film[mid]!.time < time) low = mid + 1
    else high = mid
  }
  const around = [film[low - 1], film[low]].filter((one) => one !== undefined)
  const [closest] = around.sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time))
  return closest !== undefined && Math.abs(closest.time - time) <= within ? closest : undefined
}
