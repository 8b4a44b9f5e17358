import { writeFileSync } from 'node:fs'
import { printNumbers } from '#lab/evaluate/print.ts'
import { buildIfStale } from '../../build/built.ts'
import { oneOf, readWords, wholeNumber } from '../../build/usage.ts'
import { keptServing, tortureDisk } from './disk.ts'
import { earlyLimits, earlyPlans, keptQuiet, tortureEarly } from './early/early.ts'
import { floodPlans, limitsOf, tortureFlood, withstood } from './flood/flood.ts'
import { fullProcesses } from './full-processes.ts'
import { tortureKiosk } from './kiosk.ts'
import { grownIn, memoryLimits, memoryPlans, memoryStores, stayedFlat, tortureMemory } from './memory.ts'
import { openidPlans, refusedAll, tortureOpenid } from './openid/openid.ts'
import { heldTogether, postgresPlans, torturePostgres } from './postgres/postgres.ts'
import { lostNothing, rollingPlans, tortureRolling } from './rolling/rolling.ts'
import { type StoreResult, storeCases, tortureStore } from './store.ts'
import { passedShare, survived, tortureVisits } from './visits.ts'

const usage = `Usage: npm run torture -- NAME [--json FILE]

  NAME  store      ends servers with SIGKILL while clients index, search and delete, and compares what is there afterwards
                   with what was acknowledged: [--short] [--rounds 50] [--store ${storeCases.join(' or ')}]
        processes  sends the same faces to three processes at once, and looks for an order in which one alone would have
                   answered so: [--people 200]
        postgres   three processes on a PostgreSQL server with a replica: each process and the server are killed, the network is parted,
                   and the replica takes over; looks for what was acknowledged: [--short]
        rolling    replaces three servers one by one while visitors pass whole sessions through a proxy in front of them; everything runs as the
                   manifests of Kubernetes have it, confined by bubblewrap: [--short]
        kiosk      ends a kiosk's browser with SIGKILL while its server is away, and counts what arrives: [--visits 25]
        flood      strangers and the holder of one link hold bodies back, readers do not read, one account sends crowds; another
                   account's calls and the server's memory are watched: [--short]; with [--held] a third account sends small files that take much memory to decode
        early      times the answers to pictures with and without a face that are handed in before their step ends, and has 500 sessions hand in at
                   once; another account's calls and the server's memory are watched: [--short]
        disk       fills the disk under the server while clients write (a tmpfs, or where none may be mounted a limit on the size
                   of files), and compares what is there afterwards with what was acknowledged: [--rounds 50] [--short]
        openid     sends 20,000 malformed requests to the OpenID provider, and whole sign-ins between them: [--seed 1] [--short]
        visits     visits of an acted person, each amid two faults of its network, camera, browser or link that are drawn from the table of
                   e2e/support/surroundings/cases.ts, begin at random moments and end: [--visits 200] [--seed 1]
        memory     sends 2,000 whole sessions and 2,000 pictures, and tells the server's memory after each 250:
                   [--short] [--store ${memoryStores.join(' or ')}]

Builds the product if its sources have changed. --json writes the figures.`

const { values, positionals } = readWords(
  usage,
  {
    short: { type: 'boolean', default: false },
    held: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '50' },
    store: { type: 'string' },
    people: { type: 'string', default: '200' },
    visits: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
  1,
)
const shortRounds = 2
const tortures = {
  store,
  processes,
  postgres,
  rolling,
  kiosk,
  flood,
  early,
  disk,
  memory,
  openid,
  visits: amid,
}
const name = oneOf('NAME', Object.keys(tortures) as (keyof typeof tortures)[], positionals[0])
const rounds = wholeNumber('--rounds', values.rounds)
const people = wholeNumber('--people', values.people)
const visits = (usual: string) => wholeNumber('--visits', values.visits ?? usual)
const seed = wholeNumber('--seed', values.seed, 0)
buildIfStale()
const results = await tortures[name]()
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`)

async function store(): Promise<readonly StoreResult[]> {
  const cases = values.store === undefined ? storeCases : [oneOf('--store', storeCases, values.store)]
  const found = await tortureStore({ cases, rounds, short: values.short })
  tell(found)
  return found
}

async function processes(): Promise<Record<string, number>> {
  const figures = await fullProcesses(people)
  printNumbers(figures, 60)
  return figures
}

async function postgres(): Promise<Record<string, number>> {
  const figures = await torturePostgres(postgresPlans[values.short ? 'short' : 'full'])
  printNumbers(figures, 60)
  console.log(`\n${heldTogether(figures) ? 'held together' : 'did not hold together'}`)
  process.exitCode = heldTogether(figures) ? 0 : 1
  return figures
}

async function rolling(): Promise<Record<string, number>> {
  const plan = rollingPlans[values.short ? 'short' : 'full']
  const figures = await tortureRolling(plan)
  printNumbers(figures, 60)
  const isWhole = lostNothing(figures, plan)
  console.log(`\n${isWhole ? 'lost nothing' : 'lost something'}`)
  process.exitCode = isWhole ? 0 : 1
  return figures
}

async function kiosk(): Promise<Record<string, number>> {
  const figures = await tortureKiosk(visits('25'))
  printNumbers(figures, 60)
  const wrong = figures['arrived twice']! + figures['out of order']! + figures.missing!
  process.exitCode = wrong === 0 ? 0 : 1
  return figures
}

async function amid(): Promise<unknown> {
  const tried = await tortureVisits(visits('200'), seed)
  for (const { came, met, account = '' } of tried)
    if (came !== 'passed') console.log(`not passed: ${came} (${met}) ${account}`)
  const share = (100 * passedShare(tried)).toFixed(1)
  console.log(
    `\n${share} % of ${tried.length} visits passed, all of whose faults end; ${survived(tried) ? 'survived' : 'did not survive'}`,
  )
  process.exitCode = survived(tried) ? 0 : 1
  return tried
}

async function flood(): Promise<Record<string, number>> {
  const form = values.held ? 'held' : values.short ? 'short' : 'full'
  const figures = await tortureFlood(floodPlans[form])
  printNumbers(figures, 60)
  const limits = Object.entries(limitsOf(form)).map(([name, most]) => `${name} ${most}`)
  console.log(
    `\n${withstood(figures, form) ? 'withstood' : 'did not withstand'} the flood; limits: ${limits.join(', ')}`,
  )
  process.exitCode = withstood(figures, form) ? 0 : 1
  return figures
}

async function early(): Promise<Record<string, number>> {
  const figures = await tortureEarly(earlyPlans[values.short ? 'short' : 'full'])
  printNumbers(figures, 60)
  const limits = Object.entries(earlyLimits).map(([name, most]) => `${name} ${most}`)
  console.log(`\n${keptQuiet(figures) ? 'held' : 'did not hold'}; limits: ${limits.join(', ')}`)
  process.exitCode = keptQuiet(figures) ? 0 : 1
  return figures
}

async function disk(): Promise<Record<string, number>> {
  const figures = await tortureDisk(values.short ? shortRounds : rounds)
  printNumbers(figures, 60)
  console.log(
    `\n${keptServing(figures) ? 'kept serving' : 'did not keep serving'}, and lost ${figures.lostAcknowledged}`,
  )
  process.exitCode = keptServing(figures) ? 0 : 1
  return figures
}

async function openid(): Promise<Record<string, number>> {
  const figures = await tortureOpenid(openidPlans[values.short ? 'short' : 'full'], seed, console.log)
  printNumbers(figures, 60)
  console.log(`\n${refusedAll(figures) ? 'refused all' : 'did not refuse all'} of seed ${seed}`)
  process.exitCode = refusedAll(figures) ? 0 : 1
  return { ...figures }
}

async function memory(): Promise<object> {
  const form = values.short ? 'short' : 'full'
  const store = oneOf('--store', memoryStores, values.store ?? 'lmdb')
  const counted = await tortureMemory(memoryPlans[form], store, (one) =>
    console.log(
      `after ${one.of} of each: resident ${one.residentMiB.toFixed(0)} MiB, held ${one.heldMiB.toFixed(1)} MiB`,
    ),
  )
  printNumbers({ ...grownIn(counted) }, 60)
  const isFlat = stayedFlat(counted, form)
  const limits = Object.entries(memoryLimits[form]).map(([name, most]) => `${name} ${most}`)
  console.log(`\n${isFlat ? 'stayed flat' : 'grew'}; limits: ${limits.join(', ')}`)
  process.exitCode = isFlat ? 0 : 1
  return { counted, ...grownIn(counted) }
}

function tell(results: readonly StoreResult[]): void {
  const rows = results.map((result) => ({
    case: result.case,
    pictures: result.form,
    rounds: result.rounds,
    'vain starts': result.vainStarts,
    calls: result.calls,
    acknowledged: result.acknowledged,
    unanswered: result.unanswered,
    refused: result.refused,
    violations: result.violations.length,
    seconds: result.seconds.toFixed(0),
  }))
  console.log()
  for (const cells of [Object.keys(rows[0] ?? {}), ...rows.map(Object.values)])
    console.log(cells.map((cell) => String(cell).padStart(14)).join(''))
  const failed = results.filter(({ violations }) => violations.length > 0).length
  console.log(`\n${results.length - failed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
