import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type StoreResult, storeCases, tortureStore } from './store.ts'

/**
 * `npm run torture -- store [--short] [--rounds 50] [--store lmdb|redis|redis-server] [--json FILE]`: ends servers with
 * SIGKILL while clients index, search and delete, and compares what is there afterwards with what was acknowledged.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '50' },
    store: { type: 'string' },
    json: { type: 'string' },
  },
})
const [name] = positionals
if (name !== 'store') throw new Error('Say what to torture: store')
const cases = storeCases.filter((one) => values.store === undefined || values.store === one)
if (cases.length === 0) throw new Error(`--store must be one of ${storeCases.join(', ')}`)

const results = await tortureStore({ cases, rounds: Number(values.rounds), short: values.short })
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`)
tell(results)

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
