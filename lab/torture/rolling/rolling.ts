import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { detectFaces } from '../../../shared/contract/analysis/face-verification.ts'
import { createVerification } from '../../../shared/contract/configuration/verification.ts'
import { startPostgresServer } from '../../../tests/support/programs/postgres-server.ts'
import { freePort } from '../../../tests/support/programs/redis-server.ts'
import { astronaut, bytesOf } from '../../../tests/support/upload.ts'
import { callerOf } from '../caller.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type ContainerProcess, canConfine, createRootfs, type Rootfs, startContainer } from './pod.ts'
import { startVisitors } from './visitors.ts'

export interface RollingPlan {
  /** How many times each process is replaced. */
  readonly rounds: number
  readonly visitorsAtOnce: number
}

export const rollingPlans: Readonly<Record<'short' | 'full', RollingPlan>> = {
  short: { rounds: 1, visitorsAtOnce: 2 },
  full: { rounds: 3, visitorsAtOnce: 3 },
}

const processes = 3
const startsWithinMilliseconds = 120_000
/** The same as terminationGracePeriodSeconds, after which a cluster would kill the process. */
const graceInMilliseconds = 45_000

interface Replica {
  readonly origin: string
  readonly process: ContainerProcess
}

/**
 * Runs three servers from the PostgreSQL manifests behind a proxy, each confined like in its container. Visitors go through complete sessions via
 * the proxy while each server is replaced by a new one that is started first. The migration runs before that and the backup afterwards, as in the
 * manifests.
 * @throws if processes cannot be confined here, or if a part does not work at all
 */
export async function tortureRolling(plan: RollingPlan): Promise<Record<string, number>> {
  if (!canConfine) throw new Error('Confining processes needs bubblewrap: apt-get install bubblewrap')
  const postgres = await startPostgresServer({ settings: ['fsync=on'] })
  const apiKey = randomBytes(33).toString('base64url')
  const rootfs = createRootfs({
    secret: randomBytes(33).toString('base64url'),
    store: `${postgres.address}?statement_timeout=20000`,
    'store-owner': postgres.address,
    'first-api-key': apiKey,
    'metrics-token': randomBytes(33).toString('base64url'),
    'backup-passphrase': randomBytes(33).toString('base64url'),
  })
  const balancer = await startBalancer()
  const replicas: Replica[] = []
  try {
    await expectEnd(startContainer(rootfs, 'migration', { environment: {} }))
    for (let i = 0; i < processes; i++) replicas.push(await startReplica(rootfs, balancer))
    await pauseUntil(() => balancer.ready().length === processes)
    const figures = await replaceUnderVisits(plan, { rootfs, balancer, replicas, apiKey })
    return { ...figures, 'rolling.backups': await backUp(rootfs) }
  } finally {
    await Promise.all(replicas.map((replica) => replica.process.stop('SIGKILL')))
    await balancer.close()
    await postgres.stop()
    rootfs.remove()
  }
}

/** True if all visits got their result, all processes were replaced without errors, and the backup was written. */
export function lostNothing(figures: Readonly<Record<string, number>>, plan: RollingPlan): boolean {
  const none = ['visits lost', 'results missing', 'requests without an answer', 'stops that failed']
  return (
    none.every((name) => figures[`rolling.${name}`] === 0) &&
    figures['rolling.visits finished']! > 0 &&
    figures['rolling.processes replaced'] === plan.rounds * processes &&
    figures['rolling.backups'] === 1
  )
}

interface Fleet {
  readonly rootfs: Rootfs
  readonly balancer: Balancer
  readonly replicas: Replica[]
  readonly apiKey: string
}

async function replaceUnderVisits(plan: RollingPlan, fleet: Fleet): Promise<Record<string, number>> {
  const { rootfs, balancer, replicas, apiKey } = fleet
  const caller = callerOf(balancer.origin, apiKey)
  const { faces } = await caller.call(detectFaces, { body: { image: bytesOf(astronaut) } })
  if (faces?.length !== 1) throw new Error(`${faces?.length} faces were found in a picture of one.`)
  const { verificationId } = await caller.call(createVerification, {
    body: { name: 'rolling', verificationConfig: {} },
  })
  const visitors = startVisitors(caller, verificationId, plan.visitorsAtOnce)
  const { visits } = visitors
  const stops: number[] = []
  let failedStops = 0
  for (let i = 0; i < plan.rounds * processes; i++) {
    const old = replicas[i % processes]!
    replicas[i % processes] = await startReplica(rootfs, balancer)
    await pauseUntil(() => balancer.ready().length === processes + 1)
    const asked = performance.now()
    const code = await Promise.race([
      old.process.stop('SIGTERM'),
      pause(graceInMilliseconds, 'late', { ref: false }),
    ])
    stops.push(performance.now() - asked)
    if (code !== 0) failedStops++
    balancer.remove(old.origin)
    console.log(
      `replaced ${i + 1}, stopped in ${(stops.at(-1)! / 1000).toFixed(1)} s with ${code}; ${visits.finished.length} visits finished, ${visits.lost.length} lost`,
    )
  }
  const missing = await visitors.end()
  for (const words of [...visits.lost, ...balancer.failures]) console.log(`LOST ${words}`)
  return {
    'rolling.visits begun': visits.begun,
    'rolling.visits finished': visits.finished.length,
    'rolling.visits lost': visits.lost.length,
    'rolling.results missing': missing,
    'rolling.calls tried again': visits.triedAgain,
    'rolling.requests without an answer': balancer.failures.length,
    'rolling.processes replaced': stops.length,
    'rolling.stops that failed': failedStops,
    'rolling.longest stop, s': Math.max(...stops) / 1000,
  }
}

/** Only uses loopback and has no limits per address, because all visitors share the same address. */
async function startReplica(rootfs: Rootfs, balancer: Balancer): Promise<Replica> {
  const port = await freePort()
  const environment = {
    ...{ HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'error' },
    ...{ RATE_LIMIT_INITS: 'off', ATTEMPT_LIMITS: 'off', FORGERY_LIMITS: 'off' },
  }
  const replica = {
    origin: `http://127.0.0.1:${port}`,
    process: startContainer(rootfs, 'server', { environment }),
  }
  balancer.add(replica.origin)
  const { child, lines } = replica.process
  await pauseUntil(() => {
    if (child.exitCode !== null) throw new Error(`A server did not start: ${lines.join('\n')}`)
    return balancer.ready().includes(replica.origin)
  })
  return replica
}

async function expectEnd(container: ContainerProcess): Promise<void> {
  if ((await container.ended()) !== 0) throw new Error(container.lines.join('\n'))
}

/** Counts the backups that the manifest's command leaves on its volume. */
async function backUp(rootfs: Rootfs): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-backups-'))
  try {
    await expectEnd(startContainer(rootfs, 'backup', { environment: {}, volumes: { '/backups': folder } }))
    return readdirSync(folder).length
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function pauseUntil(holds: () => boolean): Promise<void> {
  const until = performance.now() + startsWithinMilliseconds
  while (!holds()) {
    if (performance.now() > until) throw new Error('The servers were not ready in time.')
    await pause(200)
  }
}
