import { comparedNumbers, nearest, type SketchedPicture } from './film-sketch.ts'

/** A remembered film's motion. */
export interface KeptMotion {
  readonly pictures: readonly Pick<SketchedPicture, 'time' | 'numbers'>[]
}

/**
 * The limits for treating two films as the same. [Note: The same motion at the same times] Two pictures of a person sitting still look alike,
 * whichever visit they are from. But people do not repeat a movement picture by picture. So the films are aligned in time, and every second with
 * any motion must show the same movement in both. Measured by `npm run bench -- film-memory`.
 */
const alike = {
  /** The minimum share of pictures that have a counterpart. */
  pairedShare: 0.5,
  windowPictures: 6,
  /** Motion below this level is noise. Root mean square, in levels from 0 to 255. */
  leastMotion: 0.7,
  windowCorrelation: 0.8,
  /** The minimum number of windows with motion, and the minimum share of them that move alike. */
  leastWindows: 8,
  windowShare: 0.75,
  filmCorrelation: 0.9,
} as const

const headBytes = 8
const pictureBytes = 4 + comparedNumbers

/** Packs a film's motion into bytes: deviations from the means, quantised so that the largest fits into a signed byte. */
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

/** Reads the output of `packMotion`. Times count from the first picture. */
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

/** Indices of the pictures that a remembered film also contains; empty unless both films are the same. `shift` is their clock offset in ms. */
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

/** The correlation between both motions around their means, and the larger of the two amplitudes. */
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
