import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createCollection, getAllCollections } from '../../shared/contract/recognition/recognition.ts'
import { Problem } from '../../shared/problem.ts'
import type { ProblemCode } from '../../shared/problem-codes.ts'
import { type BuiltServer, startBuiltServer } from '../../tests/support/programs/built-server.ts'
import { type Caller, callerOf } from './caller.ts'

/** The location of the store, and how to fill and empty its disk. */
interface Disk {
  readonly kind: string
  readonly folder: string
  /** Leaves just enough room for a few more writes. */
  fill(server: BuiltServer): void
  makeRoom(server: BuiltServer): void
  remove(): void
}

const roomInBytes = 512 * 1024
const diskInMebibytes = 64
const mebibyte = 1024 * 1024
const writersAtOnce = 8
const writesUntilFull = 5_000
const recoversWithinMilliseconds = 30_000

/**
 * Repeatedly fills the disk under the built server while clients are writing, checks its answers, makes room, and waits until it can write again. At
 * the end, kills and restarts it, and compares its data with what was acknowledged.
 */
export async function tortureDisk(rounds: number): Promise<Record<string, number>> {
  const disk = tmpfs() ?? limitedFiles()
  console.log(`The disk: ${disk.kind}`)
  const settings = { DATA_DIR: disk.folder, LOG_LEVEL: 'error', DEMO: 'false' }
  let server = await startBuiltServer(settings)
  const { apiKey } = server
  const seen = {
    rounds: 0,
    acknowledged: 0,
    refusedWrites: 0,
    otherAnswers: 0,
    readsServed: 0,
    readsFailed: 0,
  }
  const reported = { notReady: 0, metric: 0 }
  const recoveries: number[] = []
  const acknowledged = new Set<string>()
  try {
    for (let round = 0; round < rounds && server.isAlive(); round++) {
      const caller = callerOf(server.origin, apiKey)
      await untilReady(server)
      disk.fill(server)
      await writeUntilFull(caller, `round ${round}`, acknowledged, seen)
      for (let i = 0; i < 10; i++) (await reads(caller)) ? seen.readsServed++ : seen.readsFailed++
      if ((await readiness(server)).includes('refuses writes')) reported.notReady++
      if ((await figures(server, apiKey)).includes('selfsame_store_takes_writes 0')) reported.metric++
      disk.makeRoom(server)
      recoveries.push(await recovered(caller, `round ${round}`, acknowledged))
      seen.rounds++
    }
    const isAlive = server.isAlive()
    if (isAlive) process.kill(server.pid, 'SIGKILL')
    await pause(200)
    server = await startBuiltServer(settings)
    await untilReady(server)
    const { collections } = await callerOf(server.origin, apiKey).call(getAllCollections, {})
    const kept = new Set(collections.map(({ collectionId }) => collectionId))
    return {
      lostAcknowledged: [...acknowledged].filter((id) => !kept.has(id)).length,
      processEnded: isAlive ? 0 : 1,
      ...seen,
      acknowledged: acknowledged.size,
      roundsReportedByReadiness: reported.notReady,
      roundsReportedByMetrics: reported.metric,
      recoveryMostMs: Math.max(...recoveries),
    }
  } finally {
    await server.stop()
    disk.remove()
  }
}

/** True if nothing was lost and all answers were as expected. */
export function keptServing(figures: Record<string, number>): boolean {
  const { rounds, roundsReportedByReadiness, roundsReportedByMetrics } = figures
  const wrong = ['lostAcknowledged', 'processEnded', 'readsFailed', 'otherAnswers'] as const
  return (
    wrong.every((name) => figures[name] === 0) &&
    rounds! > 0 &&
    roundsReportedByReadiness === rounds &&
    roundsReportedByMetrics === rounds &&
    figures.refusedWrites! > 0 &&
    Number.isFinite(figures.recoveryMostMs!)
  )
}

interface DiskAnswers {
  refusedWrites: number
  otherAnswers: number
}

/** Runs concurrent clients, each of which stops once a write is rejected for lack of space. */
async function writeUntilFull(
  caller: Caller,
  prefix: string,
  acknowledged: Set<string>,
  seen: DiskAnswers,
): Promise<void> {
  const description = 'x'.repeat(1000)
  const client = async (name: number) => {
    for (let i = 0; i < writesUntilFull; i++) {
      const collectionId = `${prefix}, client ${name}, ${i}`
      const outcome = await outcomeOf(() =>
        caller.call(createCollection, { body: { collectionId, description } }),
      )
      if (outcome === 'answered') acknowledged.add(collectionId)
      else if (outcome === 'store_read_only') {
        seen.refusedWrites++
        return
      } else seen.otherAnswers++
    }
  }
  await Promise.all(Array.from({ length: writersAtOnce }, (_, name) => client(name)))
}

/** A call's outcome, or undefined if the server did not answer. */
async function outcomeOf(ask: () => Promise<unknown>): Promise<'answered' | ProblemCode | undefined> {
  try {
    await ask()
    return 'answered'
  } catch (error) {
    return error instanceof Problem ? error.code : undefined
  }
}

async function reads(caller: Caller): Promise<boolean> {
  return (await outcomeOf(() => caller.call(getAllCollections, {}))) === 'answered'
}

/** How long it takes until a write is accepted again. NaN if it takes too long. */
async function recovered(caller: Caller, prefix: string, acknowledged: Set<string>): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < recoversWithinMilliseconds) {
    const collectionId = `${prefix}, afterwards`
    const outcome = await outcomeOf(() => caller.call(createCollection, { body: { collectionId } }))
    if (outcome === 'answered') {
      acknowledged.add(collectionId)
      return performance.now() - began
    }
    await pause(50)
  }
  return Number.NaN
}

async function untilReady({ origin }: BuiltServer): Promise<void> {
  while ((await fetch(`${origin}/v1/readyz`)).status !== 200) await pause(50)
}

async function readiness({ origin }: BuiltServer): Promise<string> {
  return (await fetch(`${origin}/v1/readyz`)).text()
}

async function figures({ origin }: BuiltServer, apiKey: string): Promise<string> {
  const headers = { authorization: `ApiKey ${apiKey}` }
  return (await fetch(`${origin}/metrics`, { headers })).text()
}

/** A small in-memory file system with a ballast file that fills it up. Undefined if mounting is not permitted. */
function tmpfs(): Disk | undefined {
  const mount = mkdtempSync(join(tmpdir(), 'selfsame-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskInMebibytes}m`, 'tmpfs', mount])
  if (mounted.status !== 0) {
    rmSync(mount, { recursive: true })
    return undefined
  }
  const ballast = join(mount, 'ballast')
  return {
    kind: `a tmpfs of ${diskInMebibytes} MiB, filled until ${roomInBytes / 1024} kB are left`,
    folder: join(mount, 'data'),
    fill() {
      const { bavail, bsize } = statfsSync(mount)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - roomInBytes))
    },
    makeRoom: () => rmSync(ballast),
    remove() {
      execFileSync('umount', ['--lazy', mount])
      rmSync(mount, { recursive: true })
    },
  }
}

/** Limits the size of files that the process can write. This needs no privileges, and writes fail as on a full disk. */
function limitedFiles(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-disk-'))
  const limit = ({ pid }: BuiltServer, bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
  return {
    kind: `a limit on the size of files (no file system may be mounted here), ${roomInBytes / 1024} kB above what is there`,
    folder,
    fill: (server) =>
      void limit(server, Math.max(mebibyte, statSync(join(folder, 'store', 'data.mdb')).size) + roomInBytes),
    makeRoom: (server) => void limit(server, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
