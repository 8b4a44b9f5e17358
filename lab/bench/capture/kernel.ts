import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import manifest from '../../../models/weights/manifest.json' with { type: 'json' }
import { randomNumbers } from '../../../shared/random-numbers.ts'
import { openKernel } from '../../../workers/web/provider/kernel/kernel.ts'
import { openNetwork } from '../../../workers/web/provider/network.ts'

const names = ['blazeface-short', 'facemesh', 'fr-liveness', 'face-expression'] as const
const kinds = ['plain', 'relaxed'] as const
const rounds = 200

/**
 * `npm run bench -- kernel`: runs the guidance networks in this version of Node, both with the kernel for all browsers and with the one that uses
 * relaxed SIMD, which WebKit does not support. Reports the milliseconds of the fastest of many alternating runs, which is least affected by a busy
 * machine, and the ratio between the two.
 */
export async function benchKernel(): Promise<Record<string, number>> {
  // Newer versions of Node enable these instructions by default.
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
    // Alternates between them so that neither one always goes first.
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const startedAt = performance.now()
      await networks[kind].run({ data, dims })
      times[kind].push(performance.now() - startedAt)
    }
  }
  return { plain: Math.min(...times.plain), relaxed: Math.min(...times.relaxed) }
}
