import { setTimeout as pause } from 'node:timers/promises'
import { createSignature } from '../../../shared/contract/configuration/signature.ts'
import { createVerification } from '../../../shared/contract/configuration/verification.ts'
import {
  createCollection,
  deleteCollection,
  getAllCollections,
} from '../../../shared/contract/recognition/recognition.ts'
import { initRedirectSession } from '../../../shared/contract/sessions/session.ts'
import { getSessionResult } from '../../../shared/contract/sessions/session-result.ts'
import { type BreakableWay, startBreakableWay } from '../../../tests/support/programs/breakable-way.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import {
  newFolder,
  type PostgresServer,
  runProgram,
  startPostgresServer,
} from '../../../tests/support/programs/postgres-server.ts'
import { type Caller, callerOf } from '../caller.ts'
import { passSession } from '../whole-session.ts'
import { type AcknowledgedWrites, attempt } from './acknowledged.ts'
import { completeTestSessions, makeTestKey, verifyEverywhere, visitAsActed } from './postgres-clients.ts'

export interface PostgresPlan {
  /** How many times each process and the database server are killed. */
  readonly rounds: number
  readonly partedForMilliseconds: number
  readonly workInMilliseconds: number
  readonly testSessions: number
  /** The number of visits with an acted person in Chromium. */
  readonly actedVisits: number
}

export const postgresPlans: Readonly<Record<'short' | 'full', PostgresPlan>> = {
  short: {
    rounds: 1,
    partedForMilliseconds: 5_000,
    workInMilliseconds: 4_000,
    testSessions: 200,
    actedVisits: 0,
  },
  full: {
    rounds: 10,
    partedForMilliseconds: 30_000,
    workInMilliseconds: 10_000,
    testSessions: 2000,
    actedVisits: 40,
  },
}

const processes = 3
const clientsOfEach = 3
const calmWithinMilliseconds = 90_000
/**
 * Three built servers share nothing but a PostgreSQL server with a replica. Each has its own folder, which is deleted along with it. Clients create
 * and delete collections, run complete sessions, complete test sessions and race for one-time links over all processes, while each process, the
 * database server and the network in between are disrupted. At the end, the replica takes over. It must have all acknowledged writes, and each
 * process verifies the audit logs.
 */
export async function torturePostgres(plan: PostgresPlan): Promise<Record<string, number>> {
  const primary = await startPostgresServer({
    settings: ['fsync=on', 'wal_level=replica', 'max_wal_senders=4'],
  })
  const way = await startBreakableWay(primary.port)
  const replica = await startReplica(primary)
  const servers: BuiltServer[] = []
  const known: AcknowledgedWrites = {
    collections: new Set(),
    deleted: new Set(),
    sessions: new Set(),
    testSessions: new Set(),
    actedVisits: new Set(),
    acknowledged: 0,
    refused: 0,
    unanswered: 0,
    twice: 0,
  }
  const settings = {
    AUDIT_HEADS: 'log',
    STORE: `postgres://selfsame@127.0.0.1:${way.port}/postgres`,
    SECRET: 'a secret of thirty-two characters',
    SECURITY_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'error',
    DEMO: 'false',
  }
  try {
    for (let i = 0; i < processes; i++) servers.push(await startBuiltServer(settings))
    const { apiKey } = servers[0]!
    const callerAt = (i: number) => callerOf(servers[i % processes]!.origin, apiKey)
    await allReady(servers)
    const { verificationId } = await callerAt(0).call(createVerification, {
      body: { name: 'torture', verificationConfig: {} },
    })
    let isOver = false
    const working = Array.from({ length: processes * clientsOfEach }, (_, i) =>
      work(known, i, callerAt, verificationId, () => isOver),
    )
    const testKey = await makeTestKey(callerAt(0))
    const testing = completeTestSessions(known, plan.testSessions, (i) =>
      callerOf(servers[i % processes]!.origin, testKey),
    )
    const visiting = visitAsActed(known, plan.actedVisits, (i) => ({
      origin: servers[i % processes]!.origin,
      apiKey,
    }))
    const calm = async () => {
      await allReady(servers)
      await pause(plan.workInMilliseconds * (0.3 + 0.7 * Math.random()))
    }
    for (let round = 0; round < plan.rounds; round++) {
      for (let i = 0; i < processes; i++) {
        await calm()
        process.kill(servers[i]!.pid, 'SIGKILL')
        await servers[i]!.stop()
        servers[i] = await startBuiltServer(settings)
        report(known, `process ${i + 1} killed`)
      }
      await calm()
      await primary.kill()
      await pause(500)
      await primary.start()
      report(known, 'PostgreSQL killed')
    }
    await calm()
    await breakFor(way, plan.partedForMilliseconds)
    report(known, 'network parted')
    await calm()
    await failOver(primary, replica, way)
    report(known, 'the replica took over')
    await calm()
    isOver = true
    await Promise.all([...working, testing, visiting])
    const found = await compare(known, callerAt(1), callerOf(servers[1]!.origin, testKey))
    const audit = await verifyEverywhere(servers, [apiKey, testKey])
    return { ...found, ...audit, ...countsOf(known) }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await way.stop()
    await replica.stop()
    await primary.stop()
  }
}

/** True if nothing was lost, duplicated or resurrected, and some work was actually done. */
export function heldTogether(figures: Record<string, number>): boolean {
  const wrong = ['lostAcknowledged', 'doubled', 'revived', 'auditFaults', 'auditDifferences'] as const
  return wrong.every((name) => figures[name] === 0) && figures.acknowledged! > 0 && figures.sessions! > 0
}

/** Starts a replica of the primary. From then on, acknowledged writes are on both servers and can be read from either. */
async function startReplica(primary: PostgresServer): Promise<PostgresServer> {
  const folder = newFolder()
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'selfsame']
  runProgram('pg_basebackup', ['-D', folder, ...from, '-R', '-X', 'stream', '--checkpoint=fast'])
  const replica = await startPostgresServer({
    folder,
    isMade: true,
    settings: ['fsync=on', 'hot_standby=on'],
  })
  await primary.sql("ALTER SYSTEM SET synchronous_commit = 'remote_apply'")
  await primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()')
  return replica
}

async function failOver(primary: PostgresServer, replica: PostgresServer, way: BreakableWay): Promise<void> {
  await primary.kill()
  way.cut()
  way.leadTo(replica.port)
  await replica.sql('SELECT pg_promote()')
}

async function breakFor(way: BreakableWay, milliseconds: number): Promise<void> {
  way.part()
  await pause(milliseconds)
  way.heal()
}

async function work(
  known: AcknowledgedWrites,
  client: number,
  callerAt: (i: number) => Caller,
  verificationId: string,
  isOver: () => boolean,
): Promise<void> {
  const caller = () => callerAt(client)
  for (let i = 0; !isOver(); i++) {
    const name = `client ${client}, ${i}`
    await attempt(known, async () => {
      if (i % 4 === 0) {
        known.sessions.add(await passSession(caller(), verificationId, client * 10_000 + i))
      } else if (i % 4 === 1) {
        const opened = await raceLink(callerAt, client, verificationId)
        if (opened > 1) known.twice++
      } else {
        await caller().call(createCollection, { body: { collectionId: name } })
        known.collections.add(name)
        if (i % 4 === 3) await remove(known, caller(), name)
      }
    })
  }
}

/** If there is no answer, the outcome is unknown, so only acknowledged deletions are checked. */
async function remove(known: AcknowledgedWrites, caller: Caller, collectionId: string): Promise<void> {
  known.collections.delete(collectionId)
  await caller.call(deleteCollection, { query: { collectionId } })
  known.deleted.add(collectionId)
}

/** Opens a one-time link three times, once on each process, and returns how many of them succeeded. */
async function raceLink(callerAt: (i: number) => Caller, client: number, verificationId: string) {
  const securitySettings = { enableNonce: true, expirationEnabled: true, expirationInSeconds: 600 }
  const { signedQueryString } = await callerAt(client).call(createSignature, {
    body: { queryString: '', securitySettings },
  })
  const body = { verificationId, queryString: signedQueryString }
  const opened = await Promise.allSettled(
    Array.from({ length: processes }, (_, i) => callerAt(i).call(initRedirectSession, { body })),
  )
  return opened.filter(({ status }) => status === 'fulfilled').length
}

async function compare(known: AcknowledgedWrites, caller: Caller, testCaller: Caller) {
  const { collections } = await caller.call(getAllCollections, {})
  const there = new Set(collections.map(({ collectionId }) => collectionId))
  let lost = [...known.collections].filter((name) => !there.has(name)).length
  const { sessions, testSessions, actedVisits } = known
  for (const [ids, by] of [
    [sessions, caller],
    [actedVisits, caller],
    [testSessions, testCaller],
  ] as const)
    for (const verificationSessionId of ids) {
      const found = await by
        .call(getSessionResult, { query: { verificationSessionId } })
        .catch(() => undefined)
      if (found === undefined) lost++
    }
  return {
    lostAcknowledged: lost,
    doubled: known.twice + collections.length - there.size,
    revived: [...known.deleted].filter((name) => there.has(name)).length,
  }
}

function countsOf(known: AcknowledgedWrites) {
  const { acknowledged, refused, unanswered, sessions, testSessions, actedVisits, collections, deleted } =
    known
  const kinds = { testSessions: testSessions.size, actedVisits: actedVisits.size }
  const made = { sessions: sessions.size, ...kinds, collections: collections.size, deleted: deleted.size }
  return { acknowledged, refused, unanswered, ...made }
}

function report(known: AcknowledgedWrites, what: string): void {
  const { acknowledged, refused, unanswered } = known
  console.log(`  ${what}: ${acknowledged} acknowledged, ${refused} refused, ${unanswered} unanswered`)
}

async function allReady(servers: readonly BuiltServer[]): Promise<void> {
  const until = Date.now() + calmWithinMilliseconds
  for (const { origin, log } of servers) {
    for (let answer = await readinessOf(origin); answer !== 'ready'; answer = await readinessOf(origin)) {
      if (Date.now() > until)
        throw new Error(`A process does not recover. ${answer} ${log.slice(-5).join(' ')}`)
      await pause(100)
    }
  }
}

/** `ready`, or the reason why the process is not ready. */
async function readinessOf(origin: string): Promise<string> {
  try {
    const response = await fetch(`${origin}/v1/readyz`)
    return response.status === 200 ? 'ready' : `${response.status} ${await response.text()}`
  } catch (error) {
    return String(error)
  }
}
