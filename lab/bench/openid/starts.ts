import { median } from '#lab/statistics/quantile.ts'
import { startBuiltServer } from '../../../tests/support/programs/built-server.ts'

const rounds = 5
const mebibyte = 1024 * 1024

/**
 * The cost of the provider at a start: the milliseconds until the first answer and the process's memory at that point, as medians of alternating
 * runs. The first round warms up the disk.
 */
export async function benchStarts(): Promise<Record<string, number>> {
  const found = { Off: [] as StartFigures[], On: [] as StartFigures[] }
  for (let round = 0; round <= rounds; round++) {
    for (const [name, starts] of Object.entries(found)) {
      const started = await startOnce(name === 'On' ? { OPENID_PROVIDER: 'on' } : {})
      if (round > 0) starts.push(started)
    }
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, starts]) => [
      [`startMs${name}`, median(starts.map(({ milliseconds }) => milliseconds))],
      [`startResidentMiB${name}`, median(starts.map(({ residentMiB }) => residentMiB))],
    ]),
  )
}

interface StartFigures {
  readonly milliseconds: number
  readonly residentMiB: number
}

async function startOnce(settings: Record<string, string>): Promise<StartFigures> {
  const begun = performance.now()
  const server = await startBuiltServer(settings)
  try {
    await fetch(`${server.origin}/v1/readyz`)
    const milliseconds = performance.now() - begun
    return { milliseconds, residentMiB: (await server.memory()).resident / mebibyte }
  } finally {
    await server.stop()
  }
}
