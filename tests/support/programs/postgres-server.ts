import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './redis-server.ts'

/** This machine's newest server programs. Debian installs them outside the path. */
const binaries = findBinaries()

/** True if there is a PostgreSQL server to start on this machine. */
export const hasPostgresServer = binaries !== undefined

/** A suffix for the names of tests that need one. */
export const needsPostgresServer = hasPostgresServer ? '' : ' (needs PostgreSQL, which is absent)'

export interface PostgresServer {
  /** The address of the only database, as its superuser. */
  readonly address: string
  readonly port: number
  /** The folder that contains its files. */
  readonly folder: string
  /** Runs statements one by one as the superuser. Returns the last one's rows. */
  sql(...statements: string[]): Promise<Record<string, unknown>[]>
  /** Does the same in another database. */
  sqlIn(database: string, ...statements: string[]): Promise<Record<string, unknown>[]>
  /** Ends it immediately, as a power cut would. Acknowledged writes must still be there after `start`. */
  kill(): Promise<void>
  /** Keeps all of its processes from answering until `resume`, like a machine that hangs. */
  suspend(): void
  resume(): void
  start(): Promise<void>
  stop(): Promise<void>
}

interface ServerOptions {
  /** Lines of postgresql.conf, as `name=value`. */
  readonly settings?: readonly string[]
  /** The new cluster's folder, instead of a temporary one. It must be empty, and the server must be able to write to it. */
  readonly folder?: string
  /** True if it already contains a cluster. */
  readonly isMade?: boolean
  /** Additional arguments for `initdb`. */
  readonly initdb?: readonly string[]
}

const superuser = 'selfsame'
/** After a kill, a process that has not noticed yet may still be using the previous server's memory for a moment. */
const mostStarts = 40
const triedAgainAfterMilliseconds = 250
/**
 * [Note: Nothing is flushed] Data that a process has written survives, no matter how the process ended, as long as the machine stays
 * up. The first start after a kill would otherwise flush every file in the cluster, which takes half a minute on a busy
 * disk.
 */
const usualSettings = [
  'fsync=off',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=32MB',
  'max_connections=100',
  'log_min_messages=fatal',
  'log_min_error_statement=panic',
]

/** A separate PostgreSQL server on loopback, with a new cluster in a temporary folder. */
export async function startPostgresServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const { settings = [], initdb = [], isMade = false } = options
  const folder = options.folder ?? newFolder()
  const port = await freePort()
  if (!isMade) createCluster(folder, initdb)
  const address = `postgres://${superuser}@127.0.0.1:${port}/postgres`
  const words = [...usualSettings, `port=${port}`, ...settings].flatMap((setting) => ['-c', setting])
  let running: ChildProcess

  async function start(): Promise<void> {
    for (let tries = 0; tries < mostStarts; tries++) {
      running = spawn(...asUser('postgres', ['-D', folder, ...words]), { stdio: 'ignore', cwd: folder })
      if (await answers(port, running)) return
      await pause(triedAgainAfterMilliseconds)
    }
    throw new Error('The PostgreSQL server does not start')
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of familyOf(running.pid!)) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended in the meantime.
      }
    }
  }

  await start()
  return {
    address,
    port,
    folder,
    start,
    sql: (...statements) => run(address, statements),
    sqlIn: (database, ...statements) => run(address.replace(/postgres$/, database), statements),
    async kill() {
      // The remaining processes exit when they notice that the first one is gone, slightly later than in a power cut.
      signalAll('SIGKILL')
      if (running.exitCode === null && running.signalCode === null) await once(running, 'exit')
    },
    suspend: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async stop() {
      if (running.exitCode === null && running.signalCode === null) signalAll('SIGCONT')
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A folder owned by the user who runs the server. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-postgres-'))
  giveToServer(folder)
  return folder
}

/** Changes a folder's owner to the server's user. */
export function giveToServer(folder: string): void {
  const owner = ownerOf()
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
}

/** Runs one of PostgreSQL's programs until it ends. */
export function runProgram(name: string, words: readonly string[]): void {
  const [program, all] = asUser(name, words)
  const { status, stderr } = spawnSync(program, all, { encoding: 'utf8', cwd: tmpdir() })
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
}

/** SQL for everything in a server's database, without owners, so that any later server can run it. */
export function dumpDatabase({ address }: Pick<PostgresServer, 'address'>): Buffer {
  return answerOf('pg_dump', ['--no-owner', '--no-privileges', '--dbname', address])
}

/** Runs a dump against a server's database. @throws at the first statement that fails */
export function loadDump({ address }: Pick<PostgresServer, 'address'>, dump: Uint8Array): void {
  answerOf('psql', ['--no-psqlrc', '--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', address], dump)
}

/** PostgreSQL's client programs can run as any user. */
function answerOf(name: string, words: readonly string[], input?: Uint8Array): Buffer {
  const run = spawnSync(join(binaries!, name), words, { maxBuffer: 2 ** 28, ...(input && { input }) })
  if (run.status !== 0) throw new Error(`${name} failed: ${run.stderr.toString()}`)
  return run.stdout
}

function createCluster(folder: string, more: readonly string[]): void {
  if (more.length > 0) makeCluster(folder, more)
  else takeCluster(folder)
}

/** Copies a prepared cluster, because creating one uses more than a second of processor time. */
function takeCluster(folder: string): void {
  const template = join('.cache', `cluster${binaries!.replaceAll('/', '-')}`)
  if (existsSync(template)) {
    copyCluster(template, folder)
    return
  }
  makeCluster(folder, [])
  mkdirSync('.cache', { recursive: true })
  const made = mkdtempSync(`${template}-`)
  copyCluster(folder, made)
  try {
    renameSync(made, template)
  } catch {
    // If several were created at the same time, the first one is kept.
    rmSync(made, { recursive: true })
  }
}

function copyCluster(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The cluster cannot be copied: ${stderr}`)
}

function makeCluster(folder: string, more: readonly string[]): void {
  const usual = [
    '--username',
    superuser,
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--no-sync',
  ]
  runProgram('initdb', ['-D', folder, ...usual, ...more])
}

/** The server refuses to run as root. In that case, it runs as its package's user. */
function asUser(name: string, words: readonly string[]): [program: string, words: string[]] {
  const program = join(binaries!, name)
  const owner = ownerOf()
  if (owner === undefined) return [program, [...words]]
  const { uid, gid } = owner
  return ['setpriv', [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', program, ...words]]
}

function ownerOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (which: string) => Number(spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => `${debian}/${version}/bin`),
    ...(process.env.PATH ?? '').split(':'),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** A process and all of its children. */
function familyOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return [pid, ...stdout.split('\n').map(Number).filter(Boolean)]
}

/** True if it accepts connections, even from an unknown user; false if it has ended. */
async function answers(port: number, server: ChildProcess): Promise<boolean> {
  for (let tries = 0; tries < 400 && server.exitCode === null; tries++) {
    const words = ['-h', '127.0.0.1', '-p', String(port)]
    const asked = spawn(join(binaries!, 'pg_isready'), words, { stdio: 'ignore' })
    const [code] = (await once(asked, 'exit')) as [number | null]
    if (code === 0) return true
    await pause(50)
  }
  return false
}

async function run(address: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: address })
  client.on('error', () => undefined)
  let rows: Record<string, unknown>[] = []
  try {
    await client.connect()
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
    return rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
