import { ask, startChild } from '#lab/child.ts'
import { inLanes } from '#shared/in-lanes.ts'
import type { Row } from './rows.ts'
import type { Wanted } from './run.ts'
import type { Part } from './sample.ts'

/** Most of an attack is drawing, which takes one core, and waiting: two at a time do not slow one another on two cores. */
const atOnce = 2

/** Measures the parts of a run, each in a process of its own, and tells each row as soon as it is there. */
export async function runParts(
  parts: readonly Part[],
  { people, pack, data, rival }: Pick<Wanted, 'people' | 'pack' | 'data' | 'rival'>,
  tell: (row: Row) => void,
): Promise<void> {
  await inLanes(parts, atOnce, async (part) => {
    const child = startChild('lab/attacks/part-side.ts')
    try {
      const most = Math.min(part.people, people)
      const wanted: Wanted = {
        ...part,
        people: most,
        pack,
        data,
        ...(rival && { rival }),
        untilClosed: false,
      }
      for (const row of (await ask(child, wanted)) as Row[]) tell(row)
    } finally {
      child.kill()
    }
  })
}
