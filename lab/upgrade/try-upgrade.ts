import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildIfStale } from '../../build/built.ts'
import { listOf, oneOf, readWords } from '../../build/usage.ts'
import { createVerification } from '../../shared/contract/configuration/verification.ts'
import { startPostgresServer } from '../../tests/support/programs/postgres-server.ts'
import { freePort, startRedisServer } from '../../tests/support/programs/redis-server.ts'
import { buildProgram } from '../fixtures/program.ts'
import { callerOf } from '../torture/caller.ts'
import { type Balancer, startBalancer } from '../torture/rolling/balancer.ts'
import { startVisitors } from '../torture/rolling/visitors.ts'

const stores = ['lmdb', 'redis', 'postgres'] as const
type Store = (typeof stores)[number]

const usage = `Usage: npm run try-upgrade -- [VERSION=COMMIT] [--store ${stores.join(',')}]

Builds the program of a released version (0.2.0=533d1ef1) in a separate folder, starts two of its processes on one store, and upgrades
them to this checkout as docs/versions.md says, while visitors go through whole sessions by a proxy in front of both. Counts visits that
were lost. Then verifies the audit log and a backup. Needs Redis and PostgreSQL.`

const atOnce = 2
/** In each state of the upgrade. */
const leastVisits = 4
const withinMilliseconds = 240_000
const stopsWithinMilliseconds = 45_000

/** The programs, settings and proxy of one upgrade. */
interface Place {
  readonly former: string
  readonly env: Readonly<Record<string, string>>
  readonly balancer: Balancer
}

interface Server {
  readonly origin: string
  readonly child: ChildProcess
}

async function tryUpgrade(store: Store, former: string): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'selfsame-upgrade-'))
  const server = await startStore(store)
  const balancer = await startBalancer()
  const apiKey = randomBytes(33).toString('base64url')
  const env = {
    ...{ PATH: process.env.PATH ?? '', DATA_DIR: dataDir, JOURNAL_FILE: join(dataDir, 'journal') },
    ...{ SECRET: randomBytes(33).toString('base64url'), FIRST_API_KEY: apiKey, DEMO: 'false' },
    ...{ RATE_LIMIT_INITS: 'off', ATTEMPT_LIMITS: 'off', FORGERY_LIMITS: 'off', LOG_LEVEL: 'error' },
    // Tokens name it, so all processes need the same one.
    PUBLIC_URL: balancer.origin,
    ...{ DRAIN_SECONDS: '10', ...(server === undefined ? {} : { STORE: server.address }) },
  }
  try {
    return await upgrade(store, apiKey, { former, env, balancer })
  } finally {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await balancer.close()
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function startStore(store: Store) {
  if (store === 'lmdb') return undefined
  return store === 'redis' ? startRedisServer() : startPostgresServer()
}

async function upgrade(store: Store, apiKey: string, place: Place): Promise<Record<string, number>> {
  const { former, env, balancer } = place
  const servers = [await start(former, place), await start(former, place)]
  const caller = callerOf(balancer.origin, apiKey)
  const { verificationId } = await caller.call(createVerification, {
    body: { name: 'upgraded', verificationConfig: {} },
  })
  const visitors = startVisitors(caller, verificationId, atOnce)
  const { visits } = visitors
  const someVisits = () => {
    const wanted = visits.finished.length + leastVisits
    return pauseUntil(() => visits.finished.length >= wanted || visits.lost.length > 0)
  }
  await someVisits()
  if (store === 'postgres') run('store', ['migrate'], env)
  await someVisits()
  let failedStops = 0
  for (const old of servers) {
    await start('.', place)
    if ((await stop(old, balancer)) !== 0) failedStops++
    await someVisits()
  }
  if (store === 'postgres') run('audit', ['move', '--to', 'rows'], env)
  await someVisits()
  const missing = await visitors.end()
  for (const words of [...visits.lost, ...balancer.failures]) console.log(`LOST ${words}`)
  verifyStore(env)
  return {
    'visits finished': visits.finished.length,
    'visits lost': visits.lost.length,
    'results missing': missing,
    'calls tried again': visits.triedAgain,
    'requests without an answer': balancer.failures.length,
    'stops that failed': failedStops,
  }
}

/** @throws if the audit log of any account does not hold, or a backup does not */
function verifyStore(env: Place['env']): void {
  const passphrase = join(env.DATA_DIR!, 'passphrase')
  writeFileSync(passphrase, 'the passphrase of a backup\n', { mode: 0o600 })
  const backup = join(env.DATA_DIR!, 'backup')
  run('audit', ['verify'], env)
  run('backup', ['create', backup, '--passphrase-file', passphrase], env)
  run('backup', ['verify', backup, '--passphrase-file', passphrase], env)
}

/** Runs a command of this checkout with the settings of the servers. */
function run(program: string, words: readonly string[], env: Place['env']): void {
  const printed = execFileSync(process.execPath, [`dist/server/${program}.js`, ...words], {
    env,
    encoding: 'utf8',
  })
  console.log(`  ${program} ${words[0]}: ${printed.trim().split('\n').at(-1)}`)
}

const children: ChildProcess[] = []

/** Starts the program of a folder, and waits until the proxy sends calls to it. */
async function start(place: string, { env, balancer }: Place): Promise<Server> {
  const port = String(await freePort())
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    ...{ cwd: resolve(place), env: { ...env, PORT: port } },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  const origin = `http://127.0.0.1:${port}`
  balancer.add(origin)
  await pauseUntil(() => {
    if (child.exitCode !== null) throw new Error(`The program in ${place} did not start.`)
    return balancer.ready().includes(origin)
  })
  return { origin, child }
}

/** Returns the exit code; undefined if it does not stop in time. */
async function stop({ origin, child }: Server, balancer: Balancer): Promise<number | null | undefined> {
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  child.kill('SIGTERM')
  const code = await Promise.race([ended, pause(stopsWithinMilliseconds, undefined, { ref: false })])
  balancer.remove(origin)
  return code
}

async function pauseUntil(holds: () => boolean): Promise<void> {
  const until = performance.now() + withinMilliseconds
  while (!holds()) {
    if (performance.now() > until) throw new Error('It was not done in time.')
    await pause(200)
  }
}

const { values, positionals } = readWords(usage, { store: { type: 'string' } }, 1)
const [version = '', commit = ''] = (positionals[0] ?? '0.2.0=533d1ef1').split('=')
const wanted = listOf(stores, values.store).map((one) => oneOf('--store', stores, one))
buildIfStale()
const former = buildProgram(commit)
for (const store of wanted) {
  console.log(`${version} on ${store}`)
  const figures = await tryUpgrade(store, former)
  for (const [name, count] of Object.entries(figures)) console.log(`${String(count).padStart(6)}  ${name}`)
  const none = ['visits lost', 'results missing', 'requests without an answer', 'stops that failed']
  if (none.some((name) => figures[name] !== 0)) process.exitCode = 1
}
console.log(process.exitCode === 1 ? '\nlost something' : '\nlost nothing')
