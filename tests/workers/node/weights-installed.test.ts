import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recipeOf } from '#models/rules/pack-recipe.ts'
import { openRuntime } from '#workers/node/runtime.ts'
import { readWeights } from '#workers/node/weights.ts'
import { hasSharedWeights, needsSharedWeights, sharedWeights } from '../../support/shared-weights.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-weights-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const names = Object.keys(recipeOf('extended')!.networks) as ('minifasnet-v2' | 'foamliu-face')[]

describe('the weights of an installed network', () => {
  test.each(names)('%s: where they are missing, the command that mends it is told', async (name) => {
    await expect(readWeights(name, folder)).rejects.toThrow(
      'The extended pack is not installed: npm run packs -- install extended',
    )
  })

  test.each(names)('%s: altered ones never run', async (name) => {
    await mkdir(join(folder, 'extended'), { recursive: true })
    await writeFile(join(folder, 'extended', recipeOf('extended')!.networks[name].file), 'a network')
    await expect(readWeights(name, folder)).rejects.toThrow(/altered: npm run packs -- install extended/)
    const { open } = await openRuntime('native', folder)
    await expect(open(name)).rejects.toThrow(/altered/)
  })

  test.skipIf(!hasSharedWeights)(
    `give the same answers on both runtimes, which load the publisher’s file unmodified${needsSharedWeights}`,
    async () => {
      await cp(sharedWeights, join(folder, 'whole', 'extended'), { recursive: true })
      const [native, wasm] = await Promise.all(
        (['native', 'wasm'] as const).map((kind) => openRuntime(kind, join(folder, 'whole'))),
      )
      for (const [name, size, output] of [
        ['minifasnet-v2', 80, 'output'],
        ['foamliu-face', 112, 'output0'],
      ] as const) {
        const data = Float32Array.from({ length: 3 * size * size }, (_, i) => 1 + Math.sin(i / 50))
        const input = { data, dims: [1, 3, size, size] }
        const [a, b] = await Promise.all(
          [native!, wasm!].map(async ({ open }) => (await (await open(name)).run(input))[output]!.data),
        )
        const apart = Math.max(...a!.map((value, i) => Math.abs(value - b![i]!)))
        expect(apart).toBeLessThan(1e-3 * Math.max(...a!.map(Math.abs)))
      }
    },
  )
})
