import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DataSet, limited, readSets } from '#lab/evaluate/data-set.ts'
import { type Figures, flatten } from '#lab/evaluate/figures.ts'
import { isHalvedByPicture, type Part, partOf, personOf } from '#lab/evaluate/part.ts'
import { printFigures } from '#lab/evaluate/print.ts'
import type { Task, TaskOptions } from '#lab/evaluate/task.ts'
import type { Bench } from './running/bench.ts'

/** A set's figures for one task. */
export interface MeasuredTask {
  readonly task: string
  readonly set: string
  readonly figures: Figures
  /** True if half of the pictures were measured rather than half of the people, because the labels do not name everyone. */
  readonly isHalvedByPicture?: boolean
}

/** A task and the folder with the sets to run it on. */
export interface Source {
  readonly task: Task
  readonly folder: string
}

/**
 * Other tasks' sets that have useful labels: similar strangers, the ages of known people, many people to search among, and pairs to turn into
 * document portraits.
 */
const elsewhere: Readonly<Record<string, string>> = {
  identification: 'recognition/lfw',
  documents: 'recognition',
  recognition: 'demographic/utkface',
  demographic: 'recognition/fgnet',
}

/** A single task runs on the given folder of sets. Several tasks each run on the folder with their name, and on other folders with useful labels. */
export function sourcesOf(wanted: readonly Task[], data: string): Source[] {
  const [first] = wanted
  if (wanted.length === 1 && first !== undefined) return [{ task: first, folder: data }]
  return wanted.flatMap((task) =>
    [task.name, elsewhere[task.name]]
      .filter((name) => name !== undefined)
      .map((name) => ({ task, folder: join(data, name) }))
      .filter(({ folder }) => existsSync(folder)),
  )
}

/** Runs the measurements one after another and prints each result immediately. */
export async function measureAll(
  sources: readonly Source[],
  { limit, part, ...options }: { readonly limit: number | undefined; readonly part: Part } & TaskOptions,
  bench: Bench,
  write: (line: string) => void = console.log,
): Promise<MeasuredTask[]> {
  const measured: MeasuredTask[] = []
  const add = (task: Task, set: string, figures: Figures, isHalvedByPicture = false) => {
    printFigures(`${task.name}: ${set}`, figures, write)
    measured.push({ task: task.name, set, figures, isHalvedByPicture })
  }
  for (const { task, folder } of sources) {
    const sets: Figures[] = []
    for (const set of readSets(folder)) {
      const { chosen, isWhole } = halfOf(set, part)
      const figures = await task.evaluate(limited(chosen, limit), bench, limited(set, limit), options)
      if (isWhole) figures.note(wholeSetNote)
      add(task, set.name, figures, part !== 'all' && !isWhole && isHalvedByPicture(set))
      if (!isWhole) sets.push(figures)
    }
    if (task.overall !== undefined) add(task, overallName, task.overall(sets))
  }
  return measured
}

/** Used in place of a set's name. */
const overallName = 'all'

const wholeSetNote =
  'There are too few people to hold out half: the whole set was measured, and it was available when limits were chosen.'

/** The requested half of a set, or the whole set if that half has fewer than two people. */
function halfOf(set: DataSet, part: Part): { chosen: DataSet; isWhole: boolean } {
  const chosen = partOf(set, part)
  const isWhole = part !== 'all' && new Set(chosen.rows.map(personOf)).size < 2
  return isWhole ? { chosen: set, isWhole } : { chosen, isWhole }
}

/** `SET.figure`, or `TASK.SET.figure` if several tasks were run. */
export function jsonOf(measured: readonly MeasuredTask[], isPrefixed: boolean): string {
  const flat = measured.map(({ task, set, figures }) => flatten(isPrefixed ? `${task}.${set}` : set, figures))
  return `${JSON.stringify(Object.assign({}, ...flat), null, 2)}\n`
}
