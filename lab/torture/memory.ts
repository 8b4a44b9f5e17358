import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../../models/rules/median.ts'
import { detectFaces } from '../../shared/contract/analysis/face-verification.ts'
import { createVerification } from '../../shared/contract/configuration/verification.ts'
import { type BuiltServer, startBuiltServer } from '../../tests/support/programs/built-server.ts'
import { startPostgresServer } from '../../tests/support/programs/postgres-server.ts'
import { callerOf } from './caller.ts'
import { passSession, shot } from './whole-session.ts'

/** How much memory may grow between the second and the last quarter. */
export const memoryLimits = {
  short: { residentGrownMiB: 16, heldGrownMiB: 1 },
  full: { residentGrownMiB: 32, heldGrownMiB: 8 },
} as const

/** The stores whose server can be measured. */
export const memoryStores = ['lmdb', 'postgres'] as const

interface Plan {
  /** The number of sessions, and also of pictures. */
  readonly each: number
  /** Memory is measured each time this many of both have been processed. */
  readonly every: number
}

export const memoryPlans: Readonly<Record<'short' | 'full', Plan>> = {
  short: { each: 160, every: 20 },
  full: { each: 2000, every: 250 },
}

/** The memory after a number of both: the MiB used by the process without its mapped files, and by its main thread's heap. */
export interface MemoryCount {
  readonly of: number
  readonly residentMiB: number
  readonly heldMiB: number
}

const mebibyte = 1024 * 1024

/** Runs complete sessions and single pictures through the built server one after another, measuring its memory along the way. */
export async function tortureMemory(
  plan: Plan,
  store: (typeof memoryStores)[number],
  tell: (counted: MemoryCount) => void,
): Promise<MemoryCount[]> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-memory-'))
  const database = store === 'postgres' ? await startPostgresServer() : undefined
  const server = await startBuiltServer({
    ...(database === undefined ? {} : { STORE: database.address, AUDIT_HEADS: 'log' }),
    ...{ DATA_DIR: folder, LOG_LEVEL: 'error', DEMO: 'false' },
  })
  try {
    while ((await fetch(`${server.origin}/v1/readyz`)).status !== 200) await pause(50)
    const caller = callerOf(server.origin, server.apiKey)
    const { verificationId } = await caller.call(createVerification, {
      body: {
        name: 'memory',
        verificationConfig: { verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } } },
      },
    })
    const found: MemoryCount[] = [await count(server, 0)]
    tell(found[0]!)
    for (let done = 1; done <= plan.each; done++) {
      await passSession(caller, verificationId, done)
      await caller.call(detectFaces, { body: { image: await shot(3 * done) } })
      if (done % plan.every !== 0) continue
      found.push(await count(server, done))
      tell(found.at(-1)!)
    }
    return found
  } finally {
    await server.stop()
    await database?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The growth from the second to the last quarter in MiB. The first quarter warms up caches and the allocator. */
export function grownIn(counted: readonly MemoryCount[]): { residentGrownMiB: number; heldGrownMiB: number } {
  const [, ...later] = counted
  const quarter = later.length / 4
  const medianFrom = (from: number, read: (one: MemoryCount) => number): number =>
    median(later.slice(quarter * from, quarter * (from + 1)).map(read)) ?? 0
  const grown = (read: (one: MemoryCount) => number) => medianFrom(3, read) - medianFrom(1, read)
  return {
    residentGrownMiB: grown(({ residentMiB }) => residentMiB),
    heldGrownMiB: grown(({ heldMiB }) => heldMiB),
  }
}

/** True if memory did not grow beyond the limits. */
export function stayedFlat(counted: readonly MemoryCount[], form: keyof typeof memoryLimits): boolean {
  const { residentGrownMiB, heldGrownMiB } = grownIn(counted)
  const limits = memoryLimits[form]
  return residentGrownMiB <= limits.residentGrownMiB && heldGrownMiB <= limits.heldGrownMiB
}

async function count(server: BuiltServer, of: number): Promise<MemoryCount> {
  const { resident, held } = await server.memory()
  return { of, residentMiB: resident / mebibyte, heldMiB: held / mebibyte }
}
