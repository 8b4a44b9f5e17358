import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { signatureSide } from '#models/rules/liveness/scene-signature.ts'
import { pointAt } from './film.ts'

/** How re-encoding changes the luminances in each of a film's pictures. */
export interface Encoding {
  readonly gain?: number
  /** The standard deviation of a cell's noise, in levels. */
  readonly noise?: number
}

/** Numbers from 0 to 1 that depend on a seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The head's position in each picture, along a smooth path that depends on the seed. */
export function motionOf(seed: number, pictures: number): { x: number; y: number }[] {
  const next = seededNumbers(seed)
  const waves = Array.from({ length: 6 }, () => ({ speed: 0.1 + 0.5 * next(), phase: 7 * next() }))
  const sway = (i: number, from: number) =>
    waves.slice(from, from + 3).reduce((sum, { speed, phase }) => sum + Math.sin(i * speed + phase), 0)
  return Array.from({ length: pictures }, (_, i) => ({ x: 16 + 2 * sway(i, 0), y: 16 + 1.5 * sway(i, 3) }))
}

/** The luminances of a room that contains a bright head. */
export function signatureAt({ x, y }: { x: number; y: number }): Float32Array {
  return Float32Array.from({ length: signatureSide ** 2 }, (_, i) => {
    const [column, row] = [i % signatureSide, Math.floor(i / signatureSide)]
    const room = 90 + 30 * Math.sin(column * 0.7) * Math.cos(row * 0.4)
    return room + 90 * Math.exp(-((column - x) ** 2 + (row - y) ** 2) / 40)
  })
}

/** A film with six pictures per second, including sketches. No other film has the same digests. */
export function movingFilm(
  sketch: (signature: Float32Array) => string,
  motion: readonly { x: number; y: number }[],
  { gain = 1, noise = 0 }: Encoding = {},
): TrailPoint[] {
  const next = seededNumbers(motion.length)
  const name = Math.random()
  return motion.map((place, i) => {
    const seen = signatureAt(place).map((value) => value * gain + noise * 3.46 * (next() - 0.5))
    return { ...pointAt(Math.round((i * 1000) / 6)), digest: `${name} ${i}`, sketch: sketch(seen) }
  })
}
