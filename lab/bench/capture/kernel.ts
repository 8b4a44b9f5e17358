import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import manifest from '../../../models/manifest.json' with { type: 'json' }
import { randomNumbers } from '../../../shared/random-numbers.ts'
import { openKernel } from '../../../workers/web/provider/kernel/kernel.ts'
import { openNetwork } from '../../../workers/web/provider/network.ts'

const names = ['blazeface-short', 'facemesh', 'fr-liveness', 'face-expression'] as const
const kinds = ['plain', 'relaxed'] as const
const rounds = 200

/**
 * `npm run bench -- kernel`: the networks that guide people, by the kernel of any browser and by the one of relaxed instructions, which WebKit lacks, in this
 * Node. Milliseconds of the quickest of many runs in turn, which a busy machine moves least, and how many times as long the plain one takes.
 */
export async function benchKernel(): Promise<Record<string, number>> {
  // A later Node has these instructions on.
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd')
  const figures: Record<string, number> = {}
  for (const name of names) {
    const { plain, relaxed } = await compare(name)
    figures[`${name}.plainMs`] = plain
    figures[`${name}.relaxedMs`] = relaxed
    figures[`${name}.plainTimes`] = plain / relaxed
  }
  return figures
}

async function compare(name: (typeof names)[number]): Promise<Record<(typeof kinds)[number], number>> {
  const { file, input } = manifest.models[name]
  const model = await readFile(`models/weights/${file}`)
  const dims = [1, input.channels, input.size, input.size]
  const random = randomNumbers(7)
  const data = Float32Array.from({ length: input.channels * input.size ** 2 }, random)
  const networks = {
    plain: openNetwork(openKernel('plain'), model),
    relaxed: openNetwork(openKernel('relaxed'), model),
  }
  const times = { plain: [] as number[], relaxed: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    // Each goes first as often as the other.
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const startedAt = performance.now()
      await networks[kind].run({ data, dims })
      times[kind].push(performance.now() - startedAt)
    }
  }
  return { plain: Math.min(...times.plain), relaxed: Math.min(...times.relaxed) }
}
