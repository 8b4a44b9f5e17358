import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, openBench } from './bench.ts'
import { configurationOf } from './configuration.ts'
import { limited, readSets } from './data-set.ts'
import { type Figures, flatten } from './figures.ts'
import { type Part, partOf } from './part.ts'
import { printFigures } from './print.ts'
import type { Task } from './task.ts'
import { tasks } from './tasks.ts'

/** `npm run evaluate -- TASK --data FOLDER [--limit N] [--part PART] [--json FILE]`: see `usage`. */
const usage = `Usage: npm run evaluate -- TASK --data FOLDER [--limit N] [--part PART] [--json FILE]

Runs the product's own pipeline over labelled pictures and prints what it reaches.

  TASK     ${tasks.map(({ name, summary }) => `${name.padEnd(12)} ${summary}`).join('\n           ')}
           all          each of them, on FOLDER/TASK
  FOLDER   holds sets: FOLDER/SET/labels.csv names the files beside it
  --limit  at most N pictures of each set, spread evenly over it
  --part   all (where not given), or the half of the people that was calibrated on (tuning) or was not (held-out)
  --json   writes the figures as one flat object of numbers`

interface Options {
  readonly data: string
  readonly limit: number | undefined
  readonly part: Part
}

const parts: readonly Part[] = ['all', 'tuning', 'held-out']

/** What was measured on one set by one task. */
interface Measured {
  readonly task: string
  readonly set: string
  readonly figures: Figures
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      data: { type: 'string' },
      limit: { type: 'string' },
      part: { type: 'string', default: 'all' },
      json: { type: 'string' },
    },
    allowPositionals: true,
  })
  const [name] = positionals
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  const wanted = tasks.filter((task) => name === 'all' || task.name === name)
  const isLimit = limit === undefined || (Number.isInteger(limit) && limit > 0)
  const part = parts.find((one) => one === values.part)
  const isUsable = positionals.length === 1 && wanted.length > 0 && isLimit
  if (!isUsable || values.data === undefined || part === undefined) return refuse(usage)
  const bench = await openBench()
  try {
    for (const line of configurationOf(bench)) console.log(line)
    const measured = await measureAll(wanted, { data: values.data, limit, part }, bench)
    if (values.json !== undefined) await writeFile(values.json, jsonOf(measured))
  } finally {
    await bench.close()
  }
}

function refuse(why: string): void {
  console.error(why)
  process.exitCode = 2
}

async function measureAll(wanted: readonly Task[], options: Options, bench: Bench): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const task of wanted) {
    const folder = wanted.length === 1 ? options.data : join(options.data, task.name)
    for (const set of readSets(folder)) {
      const figures = await task.evaluate(limited(partOf(set, options.part), options.limit), bench)
      printFigures(`${task.name}: ${set.name}`, figures, console.log)
      measured.push({ task: task.name, set: set.name, figures })
    }
  }
  return measured
}

function jsonOf(measured: readonly Measured[]): string {
  const flat = Object.assign({}, ...measured.map(({ set, figures }) => flatten(set, figures)))
  return `${JSON.stringify(flat, null, 2)}\n`
}

await main()
