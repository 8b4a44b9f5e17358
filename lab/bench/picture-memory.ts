import { median, quantile } from '#lab/statistics/quantile.ts'
import type { Analysis } from '../../models/rules/analysis.ts'
import { signatureSide } from '../../models/rules/liveness/scene-signature.ts'
import { createPictureMemory } from '../../server/features/sessions/pictures/picture-memory.ts'
import { createKeyRing } from '../../server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '../../server/platform/store/drivers/memory.ts'
import { timed } from './running/timed.ts'

const before = { sessionId: 'before', created: Date.now() }
const current = { sessionId: 'now', created: Date.now() }
const remembered = 10_000
const lookups = 100

/** How long it takes to look up a picture among many with the same brightness: of other scenes, and of the same scene in different light. */
export async function benchPictureMemory(): Promise<Record<string, number>> {
  const scenes = await lookUpAmong(60)
  const oneScene = await lookUpAmong(0.1)
  return {
    'remembered pictures': remembered,
    'first look-up, ms': scenes.first,
    'look-up among other scenes, median ms': scenes.median,
    'look-up among other scenes, p95 ms': scenes.p95,
    'look-up in one scene, median ms': oneScene.median,
  }
}

async function lookUpAmong(contrast: number) {
  const store = createMemoryStore()
  const keyRing = createKeyRing(Buffer.alloc(32, 1), 'EU')
  const filled = createPictureMemory(store, keyRing, Date.now)
  for (let i = 0; i < remembered; i++) await filled.findReuse(before, ...picture(contrast))
  const memory = createPictureMemory(store, keyRing, Date.now)
  const first = await timed(() => memory.findReuse(current, ...picture(contrast)))
  const times: number[] = []
  for (let i = 0; i < lookups; i++)
    times.push(await timed(() => memory.findReuse(current, ...picture(contrast))))
  return { first, median: median(times), p95: quantile(times, 0.95) }
}

let count = 0

/** Four waves with random phases around the same brightness. */
function picture(contrast: number): [Uint8Array, Analysis] {
  const phases = Array.from({ length: 4 }, () => 2 * Math.PI * Math.random())
  const wave = (i: number) => phases.reduce((sum, phase, k) => sum + Math.sin(phase + (k + 1) * i * 0.13), 0)
  const sceneSignature = Float32Array.from(
    { length: signatureSide ** 2 },
    (_, i) => 128 + (contrast / 4) * wave(i),
  )
  return [Buffer.from(`picture ${++count}`), { sceneSignature } as unknown as Analysis]
}
