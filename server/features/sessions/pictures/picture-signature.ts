import { createHmac } from 'node:crypto'
import { signatureSide } from '#models/rules/liveness/scene-signature.ts'
import type { Reuse } from '#models/rules/observation.ts'

/** The gain and residual after re-encoding at JPEG quality 85 and above, at the same size. Measured. */
const sameWithin = { gain: 1e-4, rest: 0.06 }
/**
 * The gain and residual after JPEG quality 40 in 95 of 100 pictures of live people. Quality 60, half the size, and noise of
 * 2 levels change less. Another moment in the same clip has a residual of at least 0.83 in 99 of 100. Measured by `npm
 * run bench -- resent-pictures`.
 */
const similarWithin = { gain: 1.7e-3, rest: 0.5 } as const

/** Compares two pictures' numbers: `b` is `gain` times `a` plus a residual. */
export function compare(a: ArrayLike<number>, b: ArrayLike<number>): Reuse {
  if (Math.abs(b[0]! - a[0]!) > 0.02 * Math.abs(a[0]!) + 4 || areApart(a, b)) return 'none'
  let product = 0
  let norm = 0
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!
    norm += a[i]! * a[i]!
  }
  const gain = product / Math.max(1e-9, norm)
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += (b[i]! - gain * a[i]!) ** 2
  const rest = Math.sqrt(squares / a.length)
  const within = (limit: { gain: number; rest: number }) =>
    Math.abs(gain - 1) <= limit.gain && rest <= limit.rest
  if (within(sameWithin)) return 'same'
  return within(similarWithin) ? 'similar' : 'none'
}

/** True if no gain within the limits leaves a small enough residual. For most pictures, a few numbers are enough to tell. */
function areApart(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const most = similarWithin.rest ** 2 * a.length
  let squares = 0
  for (let i = 0; i < a.length && squares <= most; i++) {
    const least = Math.abs(b[i]! - a[i]!) - similarWithin.gain * Math.abs(a[i]!)
    if (least > 0) squares += least * least
  }
  return squares > most
}

const projections = 128
const cells = signatureSide * signatureSide

/** Rows of +1 and -1 from the server's key. Without the key, a change's effect on the numbers is unpredictable. */
export function keyedSigns(key: Uint8Array): Int8Array {
  const signs = new Int8Array(projections * cells)
  for (let row = 0; row < projections; row++) {
    let bits = Buffer.alloc(0)
    for (let block = 0; bits.length < cells / 8; block++) {
      bits = Buffer.concat([bits, createHmac('sha512', key).update(`row ${row} block ${block}`).digest()])
    }
    for (let i = 0; i < cells; i++) signs[row * cells + i] = (bits[i >> 3]! >> (i & 7)) & 1 ? 1 : -1
  }
  return signs
}

/** Each number is on the scale of a luminance, because the rows have length 1. */
export function project(print: Float32Array, signs: Int8Array): number[] {
  const scale = 1 / Math.sqrt(cells)
  return Array.from({ length: projections }, (_, row) => {
    let sum = 0
    for (let i = 0; i < cells; i++) sum += signs[row * cells + i]! * print[i]!
    return Math.round(sum * scale * 1000) / 1000
  })
}
