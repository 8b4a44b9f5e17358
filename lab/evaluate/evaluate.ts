import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { oneOf, readWords, refuse, wholeNumber } from '../../build/usage.ts'
import { packNames } from '../../models/rules/packs.ts'
import { withMarkedPlace } from '../marked-place.ts'
import { jsonOf, type MeasuredTask, measureAll, sourcesOf } from './measure.ts'
import type { Part } from './part.ts'
import { accuracyReport } from './report/accuracy-report.ts'
import { openBench } from './running/bench.ts'
import { configurationOf } from './running/configuration.ts'
import { tasks } from './tasks.ts'

const usage = `Usage: npm run evaluate -- TASK --data FOLDER [--limit N] [--part PART] [--pack PACK] [--no-grid] [--json FILE]
                                  [--report]

Runs the product's own pipeline over labelled pictures and prints its figures.

  TASK      ${tasks.map(({ name, summary }) => `${name.padEnd(12)} ${summary}`).join('\n            ')}
            all          each of them, on FOLDER/TASK
  FOLDER    holds sets: FOLDER/SET/labels.csv names the files next to it
  --limit   at most N pictures of each set, spread evenly over it
  --part    all (default), or the half of the people used for calibration (tuning) or the other one (held-out)
  --pack    the networks: standard (default), conservative, or extended if it is installed
  --no-grid leaves out the grid of perturbations, which takes most of the time of liveness
  --json    writes the figures as one flat object of numbers
  --report  writes the generated part of docs/accuracy.md, and docs/data/accuracy; by default FOLDER is then ../shared/data, and PART held-out`

const parts: readonly Part[] = ['all', 'tuning', 'held-out']
const reportFile = 'docs/accuracy.md'
const dataFolder = 'docs/data/accuracy'
/** The same folder, relative to the report. */
const dataFolderFromReport = 'data/accuracy'

function readOptions() {
  const text = { type: 'string' } as const
  const { values, positionals } = readWords(
    usage,
    {
      ...{ data: text, limit: text, part: text, json: text },
      pack: { type: 'string', default: 'standard' },
      report: { type: 'boolean', default: false },
      'no-grid': { type: 'boolean', default: false },
    },
    1,
  )
  const { report, json } = values
  const name = oneOf('TASK', ['all', ...tasks.map((task) => task.name)], positionals[0])
  return {
    wanted: tasks.filter((task) => name === 'all' || task.name === name),
    pack: oneOf('--pack', packNames, values.pack),
    part: oneOf('--part', parts, values.part ?? (report ? 'held-out' : 'all')),
    data: values.data ?? (report ? '../shared/data' : refuse('--data FOLDER is missing.')),
    limit: values.limit === undefined ? undefined : wholeNumber('--limit', values.limit),
    forGrid: !values['no-grid'],
    json,
    report,
  }
}

async function evaluate(): Promise<void> {
  const { wanted, pack, part, data, limit, forGrid, json, report } = readOptions()
  const sources = sourcesOf(wanted, data)
  const bench = await openBench(pack)
  try {
    const configuration = configurationOf(bench)
    for (const line of configuration) console.log(line)
    const measured = await measureAll(sources, { limit, part, forGrid }, bench)
    if (json !== undefined) await writeFile(json, jsonOf(measured, wanted.length > 1))
    if (report) await writeReport(measured, configuration, part)
  } finally {
    await bench.close()
  }
}

async function writeReport(measured: readonly MeasuredTask[], configuration: readonly string[], part: Part) {
  const { markdown, files } = accuracyReport(measured, { configuration, part, data: dataFolderFromReport })
  await rm(dataFolder, { recursive: true, force: true })
  await mkdir(dataFolder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(dataFolder, name), text)
  const page = await readFile(reportFile, 'utf8')
  await writeFile(reportFile, withMarkedPlace(page, 'measured', markdown, reportFile))
  console.log(`\n${reportFile}, ${dataFolder}/`)
}

try {
  await evaluate()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
