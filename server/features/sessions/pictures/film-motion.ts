import { comparedNumbers, nearest, type SketchedPicture } from './film-sketch.ts'

/** The motion of a film that was kept. */
export interface KeptMotion {
  readonly pictures: readonly Pick<SketchedPicture, 'time' | 'numbers'>[]
}

/**
 * When two films count as one. [Note: The same motion at the same times] One picture of somebody who sits still is like another one of the same room; but
 * nobody moves twice as before, picture by picture. So the films are laid over each other, and in each second in which anything moves
 * the movement must be the same. Measured by `npm run bench -- film-memory`.
 */
const alike = {
  /** Of the pictures of a film so many must have a counterpart. */
  pairedShare: 0.5,
  windowPictures: 6,
  /** Less is noise. Root mean square, in levels of 0...255. */
  leastMotion: 0.7,
  windowCorrelation: 0.8,
  /** So many windows must move, and this share of them must move alike. */
  leastWindows: 8,
  windowShare: 0.75,
  filmCorrelation: 0.9,
} as const

const headBytes = 8
const pictureBytes = 4 + comparedNumbers

/** The motion of a film as bytes: around their means, in steps that the largest number needs. */
export function packMotion(film: readonly SketchedPicture[]): Buffer {
  const means = Array.from(
    { length: comparedNumbers },
    (_, k) => film.reduce((sum, { numbers }) => sum + numbers[k]!, 0) / Math.max(1, film.length),
  )
  const centred = film.map(({ numbers }) => means.map((mean, k) => numbers[k]! - mean))
  const step = Math.max(1e-3, ...centred.flat().map(Math.abs)) / 127
  const bytes = Buffer.alloc(headBytes + film.length * pictureBytes)
  bytes.writeDoubleBE(step)
  for (const [i, values] of centred.entries()) {
    const at = headBytes + i * pictureBytes
    bytes.writeUInt32BE(timeSince(film, i), at)
    for (const [k, value] of values.entries()) bytes.writeInt8(Math.round(value / step), at + 4 + k)
  }
  return bytes
}

function timeSince(film: readonly SketchedPicture[], i: number): number {
  return Math.min(0xffff_ffff, Math.max(0, Math.round(film[i]!.time - film[0]!.time)))
}

/** What `packMotion` made; times count from the first picture. */
export function unpackMotion(bytes: Buffer): KeptMotion {
  const step = bytes.readDoubleBE(0)
  const count = Math.floor((bytes.length - headBytes) / pictureBytes)
  const pictures = Array.from({ length: count }, (_, i) => {
    const at = headBytes + i * pictureBytes
    const numbers = Array.from({ length: comparedNumbers }, (_, k) => step * bytes.readInt8(at + 4 + k))
    return { time: bytes.readUInt32BE(at), numbers }
  })
  return { pictures }
}

/** The pictures of a film that came before in a kept one; none unless it is the same film. `shift` is by how much later it is, in milliseconds. */
export function repeatedPictures(
  film: readonly SketchedPicture[],
  { pictures }: KeptMotion,
  shift: number,
): readonly number[] {
  const pairs = film.flatMap((picture) => {
    const kept = nearest(pictures, picture.time - shift)
    return kept === undefined ? [] : [{ index: picture.index, a: picture.numbers, b: kept.numbers }]
  })
  if (pairs.length < alike.pairedShare * film.length || correlation(pairs).r < alike.filmCorrelation)
    return []
  let [moving, same] = [0, 0]
  for (let at = 0; at + alike.windowPictures <= pairs.length; at += alike.windowPictures) {
    const { r, motion } = correlation(pairs.slice(at, at + alike.windowPictures))
    if (motion < alike.leastMotion) continue
    moving++
    if (r >= alike.windowCorrelation) same++
  }
  const isSame = moving >= alike.leastWindows && same >= alike.windowShare * moving
  return isSame ? pairs.map(({ index }) => index) : []
}

interface Pair {
  readonly a: readonly number[]
  readonly b: readonly number[]
}

/** How alike both move around their means, and how much the one does that moves more. */
function correlation(pairs: readonly Pair[]): { readonly r: number; readonly motion: number } {
  let [product, squaresA, squaresB] = [0, 0, 0]
  for (let k = 0; k < comparedNumbers; k++) {
    const meanA = pairs.reduce((sum, { a }) => sum + a[k]!, 0) / pairs.length
    const meanB = pairs.reduce((sum, { b }) => sum + b[k]!, 0) / pairs.length
    for (const { a, b } of pairs) {
      product += (a[k]! - meanA) * (b[k]! - meanB)
      squaresA += (a[k]! - meanA) ** 2
      squaresB += (b[k]! - meanB) ** 2
    }
  }
  const motion = Math.sqrt(Math.max(squaresA, squaresB) / Math.max(1, pairs.length * comparedNumbers))
  return { r: product / Math.max(1e-9, Math.sqrt(squaresA * squaresB)), motion }
}
