import type { Surface } from '#models/rules/analysis.ts'
import { type Sight, surfaceExtent } from '#models/rules/liveness/evidence/surface.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

/** The luminance at a place in the drawn room, from 0 to 255. */
export type Room = (x: number, y: number) => number

/** A room made of soft patches, which is always the same for the same seed. */
export function roomOf(seed: number, contrast = 1): Room {
  const random = randomNumbers(seed)
  const waves = Array.from({ length: 12 }, () => ({
    x: (random() - 0.5) * 0.7,
    y: (random() - 0.5) * 0.7,
    at: random() * 6.3,
  }))
  return (x, y) =>
    128 + contrast * waves.reduce((sum, wave) => sum + 16 * Math.sin(wave.x * x + wave.y * y + wave.at), 0)
}

/** A round face in the middle of that room. */
export function sightIn(room: Room, change: Partial<Surface> & { yaw?: number; pitch?: number } = {}): Sight {
  const { yaw = 0, pitch = 0, ...surface } = change
  const s = surfaceExtent
  const landmarks = Float32Array.from({ length: 3 * 36 }, (_, i) => {
    const angle = (Math.floor(i / 3) * Math.PI) / 18
    return [64 + 22 * Math.cos(angle), 64 + 28 * Math.sin(angle), 0][i % 3]!
  })
  const grey = Uint8Array.from({ length: s * s }, (_, i) =>
    Math.max(0, Math.min(255, room((i % s) + 0.5, Math.floor(i / s) + 0.5))),
  )
  const skin = Float32Array.from({ length: 330 }, () => Math.log(120))
  return {
    surface: { grey, left: 0, top: 0, step: 1, width: s, height: s, skin, ...surface },
    landmarks,
    pose: { yaw, pitch },
  }
}
