import { ask, startChild } from '#lab/child.ts'
import { mapConcurrent } from '../../shared/concurrency/map-concurrent.ts'
import { askedWords } from './methods/method.ts'
import type { Row } from './rows.ts'
import type { RunOptions } from './run.ts'
import type { Part } from './sample.ts'

/** An attack mostly draws on one core or waits, so running two at a time on two cores does not slow either one down. */
const atOnce = 2

interface Run extends Pick<RunOptions, 'people' | 'pack' | 'data' | 'rival' | 'seed'> {
  /** No new part is started after this time. */
  readonly milliseconds: number
}

/** Measures each part of a run in its own process, and reports each row as soon as its part is done. */
export async function runParts(
  parts: readonly Part[],
  { people, pack, data, rival, seed, milliseconds }: Run,
  tell: (row: Row) => void,
): Promise<void> {
  const until = performance.now() + milliseconds
  await mapConcurrent(parts, atOnce, async (part) => {
    if (performance.now() > until) return
    const child = startChild('lab/attacks/part-side.ts')
    try {
      const most = Math.min(part.people, people)
      const common = { pack, data, seed, ...(rival && { rival }), untilClosed: false }
      const wanted: RunOptions = { ...part, ...common, people: most }
      for (const row of (await ask(child, wanted)) as Row[]) tell(row)
    } finally {
      child.kill()
    }
  })
}

/** The parts with missing rows. A row only counts if it covers enough people and, if a rival is requested, includes the rival's answer. */
export function missingParts(
  parts: readonly Part[],
  rows: readonly Row[],
  rival?: RunOptions['rival'],
): Part[] {
  const has = (name: string, figure: string, { film, asked, people }: Part) =>
    rows.some(
      (row) =>
        row.name === name &&
        row.figure === figure &&
        row.rate.people >= people &&
        (film === undefined || row.film === film) &&
        row.asked === (asked && askedWords(asked)) &&
        (rival === undefined || row.rival?.name === rival),
    )
  return parts.filter((part) => {
    const attacks = part.instruments.flatMap((instrument) =>
      part.methods.flatMap((method) =>
        part.challenges.map((challenge) => `attack.${instrument}.${method}.${challenge.toLowerCase()}`),
      ),
    )
    return !(
      attacks.every((name) => has(name, 'apcer', part)) &&
      part.living.every((condition) => has('living', condition, part))
    )
  })
}
