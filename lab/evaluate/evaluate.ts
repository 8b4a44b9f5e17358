import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packNames } from '#models/rules/packs.ts'
import type { Part } from './part.ts'
import { accuracyReport } from './report/accuracy-report.ts'
import { openBench } from './running/bench.ts'
import { configurationOf } from './running/configuration.ts'
import { jsonOf, type Measured, measureAll, sourcesOf } from './running/measure.ts'
import { tasks } from './tasks.ts'

/** `npm run evaluate -- TASK --data FOLDER`: see `usage`. */
const usage = `Usage: npm run evaluate -- TASK --data FOLDER [--limit N] [--part PART] [--pack PACK] [--json FILE] [--report]

Runs the product's own pipeline over labelled pictures and prints what it reaches.

  TASK      ${tasks.map(({ name, summary }) => `${name.padEnd(12)} ${summary}`).join('\n            ')}
            all          each of them, on FOLDER/TASK
  FOLDER    holds sets: FOLDER/SET/labels.csv names the files beside it
  --limit   at most N pictures of each set, spread evenly over it
  --part    all (where not given), or the half of the people that was calibrated on (tuning) or was not (held-out)
  --pack    the networks: standard (where not given) or conservative
  --json    writes the figures as one flat object of numbers
  --report  writes docs/accuracy.md and its plots; where not given, FOLDER is ../shared/data then, and PART held-out`

const parts: readonly Part[] = ['all', 'tuning', 'held-out']
const reportFile = 'docs/accuracy.md'
const pictureFolder = 'docs/accuracy'
/** The folder of the plots as the report names it, from where it stands. */
const pictureFolderFromReport = 'accuracy'

function optionsOf(words: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: {
      data: { type: 'string' },
      limit: { type: 'string' },
      part: { type: 'string' },
      pack: { type: 'string', default: 'standard' },
      json: { type: 'string' },
      report: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const { report, json } = values
  const pack = packNames.find((one) => one === values.pack)
  const [name, ...more] = positionals
  const wanted = tasks.filter((task) => name === 'all' || task.name === name)
  const part = parts.find((one) => one === (values.part ?? (report ? 'held-out' : 'all')))
  const data = values.data ?? (report ? '../shared/data' : undefined)
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  const isLimit = limit === undefined || (Number.isInteger(limit) && limit > 0)
  const isComplete = wanted.length > 0 && more.length === 0 && isLimit
  if (!isComplete || part === undefined || data === undefined || pack === undefined) throw new Error(usage)
  return { wanted, pack, part, data, limit, json, report }
}

async function evaluate(words: readonly string[]): Promise<void> {
  const { wanted, pack, part, data, limit, json, report } = optionsOf(words)
  const sources = sourcesOf(wanted, data)
  const bench = await openBench(pack)
  try {
    const configuration = configurationOf(bench)
    for (const line of configuration) console.log(line)
    const measured = await measureAll(sources, { limit, part }, bench)
    if (json !== undefined) await writeFile(json, jsonOf(measured, wanted.length > 1))
    if (report) await writeReport(measured, configuration, part)
  } finally {
    await bench.close()
  }
}

async function writeReport(measured: readonly Measured[], configuration: readonly string[], part: Part) {
  const { markdown, pictures } = accuracyReport(measured, {
    configuration,
    part,
    pictures: pictureFolderFromReport,
  })
  await rm(pictureFolder, { recursive: true, force: true })
  await mkdir(pictureFolder, { recursive: true })
  for (const [file, svg] of Object.entries(pictures)) await writeFile(join(pictureFolder, file), svg)
  await writeFile(reportFile, markdown)
  console.log(`\n${reportFile}, ${pictureFolder}/`)
}

try {
  await evaluate(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
