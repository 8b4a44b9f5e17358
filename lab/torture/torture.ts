import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fullProcesses } from './full-processes.ts'
import { tortureKiosk } from './kiosk.ts'
import { type StoreResult, storeCases, tortureStore } from './store.ts'

/**
 * `npm run torture -- store [--short] [--rounds 50] [--store lmdb|redis|redis-server] [--json FILE]`: ends servers with
 * SIGKILL while clients index, search and delete, and compares what is there afterwards with what was acknowledged.
 * `npm run torture -- processes [--people 200]`: sends the same faces to three processes at once, and looks for an order in
 * which one alone would have answered so.
 * `npm run torture -- kiosk [--visits 25]`: ends a kiosk's browser with SIGKILL while its server is away, and counts what arrives.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '50' },
    store: { type: 'string' },
    people: { type: 'string', default: '200' },
    visits: { type: 'string', default: '25' },
    json: { type: 'string' },
  },
})
const tortures: Readonly<Record<string, () => Promise<unknown>>> = { store, processes, kiosk }
const run = tortures[positionals[0] ?? '']
if (run === undefined) throw new Error(`Say what to torture: ${Object.keys(tortures).join(' or ')}`)
const results = await run()
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`)

async function store(): Promise<readonly StoreResult[]> {
  const cases = storeCases.filter((one) => values.store === undefined || values.store === one)
  if (cases.length === 0) throw new Error(`--store must be one of ${storeCases.join(', ')}`)
  const found = await tortureStore({ cases, rounds: Number(values.rounds), short: values.short })
  tell(found)
  return found
}

async function processes(): Promise<Record<string, number>> {
  return tellFigures(await fullProcesses(Number(values.people)))
}

async function kiosk(): Promise<Record<string, number>> {
  const figures = tellFigures(await tortureKiosk(Number(values.visits)))
  const wrong = figures['arrived twice']! + figures['out of order']! + figures.missing!
  process.exitCode = wrong === 0 ? 0 : 1
  return figures
}

function tellFigures(figures: Record<string, number>): Record<string, number> {
  for (const [name, value] of Object.entries(figures)) {
    console.log(name.padEnd(60), Number.isInteger(value) ? value.toLocaleString('en-GB') : value.toFixed(2))
  }
  return figures
}

function tell(results: readonly StoreResult[]): void {
  const heads = [
    'case',
    'pictures',
    'rounds',
    'vain starts',
    'calls',
    'acknowledged',
    'unanswered',
    'refused',
    'violations',
    'seconds',
  ]
  const rows = results.map((result) => [
    result.case,
    result.form,
    result.rounds,
    result.vainStarts,
    result.calls,
    result.acknowledged,
    result.unanswered,
    result.refused,
    result.violations.length,
    result.seconds.toFixed(0),
  ])
  console.log()
  for (const row of [heads, ...rows]) console.log(row.map((cell) => String(cell).padStart(12)).join(''))
  const failed = results.filter(({ violations }) => violations.length > 0).length
  console.log(`\n${results.length - failed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
