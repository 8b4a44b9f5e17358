import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { deserialize } from 'node:v8'
import { brotliDecompressSync } from 'node:zlib'
import { createClient } from 'redis'
import { clockOffBy } from '#lab/fixtures/clock.ts'
import {
  type Contents,
  fixtureSettingsIn,
  receiverPort,
  type StoreKind,
  storeKinds,
} from '#lab/fixtures/contents.ts'
import { contentsFile, type DumpedKey, dumpFile } from '#lab/fixtures/pack-store.ts'
import { type Caller, callerOf } from '#lab/torture/caller.ts'
import { hasPostgresServer, loadDump, startPostgresServer } from '../support/programs/postgres-server.ts'
import { freePort, hasRedisServer, startRedisServer } from '../support/programs/redis-server.ts'
import { launch } from '../support/programs/server-process.ts'
import { serverProgram } from '../support/programs/server-program.ts'

const folder = join(import.meta.dirname, '../support/stores')
/** Programs run this long after the fixture was made, so that webhooks that failed twice are retried. */
const laterMilliseconds = 330_000

/** A fixture that this machine is using. */
export interface ReleasedStore {
  readonly contents: Contents
  readonly dataDir: string
  /** The settings for all programs that use it, apart from those that set their clocks. */
  readonly settings: Readonly<Record<string, string>>
  /** Its programs' clock, in milliseconds since 1970. */
  now(): number
  /** Starts this checkout's server, optionally with other settings. */
  start(otherwise?: Readonly<Record<string, string>>): Promise<RunningServer>
  /** Runs one of this checkout's commands, optionally with other settings. Returns its exit code and all its output. */
  command(
    program: Parameters<typeof serverProgram>[0],
    words: readonly string[],
    otherwise?: Readonly<Record<string, string>>,
  ): { readonly code: number | null; readonly printed: string }
  stop(): Promise<void>
}

export interface RunningServer {
  readonly caller: Caller
  readonly origin: string
  readonly log: readonly string[]
  isAlive(): boolean
  stop(): Promise<void>
}

/** Every fixture, of the first release first. */
export function releasedFixtures(): [version: string, kind: StoreKind][] {
  const files = readdirSync(folder)
  const versions = files.flatMap((file) => /^(\d+\.\d+\.\d+)\.lmdb\.tar\.br$/.exec(file)?.[1] ?? [])
  return versions
    .sort(new Intl.Collator('en', { numeric: true }).compare)
    .flatMap((version) => storeKinds.map((kind): [string, StoreKind] => [version, kind]))
}

/** Why this machine cannot open a fixture, for use in a test's name; empty if it can. */
export function lackFor(kind: StoreKind): string {
  if (kind === 'redis' && !hasRedisServer) return ' (needs redis-server, which is absent)'
  if (kind.startsWith('postgres') && !hasPostgresServer) return ' (needs PostgreSQL, which is absent)'
  return ''
}

/** Unpacks a fixture's contents into a data folder. */
export function unpackFixture(version: string, kind: StoreKind, dataDir: string): Contents {
  const tar = brotliDecompressSync(readFileSync(join(folder, `${version}.${kind}.tar.br`)))
  execFileSync('tar', ['--extract', '--same-permissions', '-C', dataDir], { input: tar })
  return JSON.parse(readFileSync(join(dataDir, contentsFile), 'utf8')) as Contents
}

/**
 * Puts a fixture into a new folder, and on a new server if its kind requires one.
 *
 * [Note: A fixture does not age] Records, tokens and links contain times, so every program that uses a fixture starts with
 * its clock set to the fixture's time. Redis and PostgreSQL use their own clocks, so entries with a time to live get
 * back their remaining time.
 */
export async function openReleasedStore(version: string, kind: StoreKind): Promise<ReleasedStore> {
  const dataDir = mkdtempSync(join(tmpdir(), 'selfsame-released-'))
  const contents = unpackFixture(version, kind, dataDir)
  const age = Date.now() - contents.madeAt
  const offset = laterMilliseconds - age
  const server = await startStoreServer(kind, dataDir, age)
  const settings = {
    ...fixtureSettingsIn(dataDir, kind),
    ...(server !== undefined && { STORE: server.address }),
  }
  return {
    contents,
    dataDir,
    settings,
    now: () => Date.now() + offset,
    start: (otherwise = {}) =>
      startServer({ ...settings, ...clockOffBy(offset), ...otherwise }, contents.keys[0]!.apiKey),
    command(program, words, otherwise = {}) {
      const env = { PATH: process.env.PATH, ...settings, ...clockOffBy(offset), ...otherwise }
      const all = [...serverProgram(program), ...words]
      const { status, stdout, stderr } = spawnSync(process.execPath, all, { env, encoding: 'utf8' })
      return { code: status, printed: stdout + stderr }
    },
    async stop() {
      await server?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function startStoreServer(kind: StoreKind, dataDir: string, age: number) {
  if (kind === 'lmdb') return undefined
  const dump = readFileSync(join(dataDir, dumpFile))
  if (kind === 'redis') {
    const redis = await startRedisServer()
    await fillRedis(redis.address, deserialize(dump) as DumpedKey[])
    return redis
  }
  const postgres = await startPostgresServer()
  loadDump(postgres, dump)
  await postgres.sql(`UPDATE selfsame_eu.entries SET expires_at = expires_at + ${Math.round(age)}`)
  return postgres
}

async function fillRedis(address: string, keys: readonly DumpedKey[]): Promise<void> {
  const client = await createClient({ url: address }).connect()
  for (const [key, payload, remaining] of keys) await client.restore(key, Math.max(0, remaining), payload)
  await client.close()
}

async function startServer(env: Readonly<Record<string, string>>, apiKey: string): Promise<RunningServer> {
  const port = await freePort()
  const child = launch({ DEMO: 'false', PORT: String(port), ...env })
  const log: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => log.push(line))
  for await (const line of createInterface({ input: child.stdout! }))
    if (line.startsWith('Selfsame is ready at ')) break
  child.stdout!.resume()
  const origin = `http://127.0.0.1:${port}`
  const isAlive = () => child.exitCode === null && child.signalCode === null
  if (!isAlive()) throw new Error(`The server did not start: ${log.join('\n')}`)
  return {
    caller: callerOf(origin, apiKey),
    origin,
    log,
    isAlive,
    async stop() {
      if (!isAlive()) return
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Acknowledges every webhook event that a fixture has yet to send. */
export async function startReceiver(): Promise<{ stop(): void }> {
  const receiver = createServer((_request, answer) => void answer.end())
  await new Promise<void>((listening) => receiver.listen(receiverPort, '127.0.0.1', listening))
  return {
    stop() {
      receiver.close()
      receiver.closeAllConnections()
    },
  }
}
