import '../long-alone.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openAuditPlace } from '#server/app/audit-place.ts'
import { readSettings } from '#server/app/settings.ts'
import { createAuditLog } from '#server/features/audit/audit-log.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { isLong, some } from '../../e2e/support/length.ts'
import { bundledProgram } from '../support/bundled/bundled-program.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  startPostgresServer,
} from '../support/programs/postgres-server.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from '../support/programs/redis-server.ts'

const accountId = 'shop'
const processes = 3
const rounds = isLong ? 3 : 2
/** In milliseconds, on a busy machine. */
const longest = 240_000

let program: readonly string[]
beforeAll(async () => {
  program = await bundledProgram('tests/support/programs/audit.process.ts')
})

const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})

async function serverOf(on: string) {
  if (on === 'redis') return startRedisServer()
  return on === 'postgres' ? startPostgresServer() : undefined
}

async function openLog(env: Record<string, string>) {
  const settings = readSettings(env)
  const opened = await openStore(settings, () => undefined)
  const { keyRing, store } = await openKeyRing(opened.store, settings)
  const { segments } = await openAuditPlace(settings, opened.rows, () => undefined)
  return { store, log: createAuditLog({ store, keyRing, segments, now: Date.now }) }
}

/** Adds entries until it is killed. Returns the ones that were acknowledged. */
function add(env: Record<string, string>, name: string) {
  const acknowledged: string[] = []
  const child = spawn(process.execPath, [...program, accountId, name], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  createInterface({ input: child.stdout! }).on('line', (line) => acknowledged.push(line))
  const kill = async () => {
    const over = once(child, 'close')
    child.kill('SIGKILL')
    await over
    running.delete(child)
  }
  return { acknowledged, kill }
}

const stores = [
  'lmdb',
  ...(hasPostgresServer ? (['postgres'] as const) : []),
  ...(hasRedisServer ? (['redis'] as const) : []),
] as const

describe.each(some(stores))(
  `three processes with one AUDIT_DIR, or on PostgreSQL with none, on %s${needsRedisServer}${needsPostgresServer}`,
  (on) => {
    test(
      'lose and duplicate no acknowledged entry, whenever they are killed',
      async () => {
        const folder = await mkdtemp(join(tmpdir(), 'selfsame-audit-processes-'))
        const server = await serverOf(on)
        // On PostgreSQL, the processes do not share a folder.
        const envOf = (process: string) => ({
          DATA_DIR: on === 'postgres' ? join(folder, process) : folder,
          SECRET: 's'.repeat(40),
          ...(server && { STORE: server.address }),
        })
        const before = await openLog(envOf('before'))
        const actor = { kind: 'server', keyId: null, tokenId: null } as const
        const begun = before.log.begin(accountId, { actor, resources: {}, outcome: 'succeeded' })
        await before.store.commit(begun, [])
        await before.store.close()
        const acknowledged: string[] = []
        for (let round = 0; round < rounds; round++) {
          const children = Array.from({ length: processes }, (_, i) => add(envOf(`${i}`), `${round}-${i}`))
          await vi.waitFor(
            () => {
              for (const child of children) expect(child.acknowledged.length).toBeGreaterThan(40)
            },
            // Starting a process is slow on a busy machine, so there is only a timeout for the test as a whole.
            { timeout: longest },
          )
          await Promise.all(children.map(({ kill }) => kill()))
          acknowledged.push(...children.flatMap((child) => child.acknowledged))
        }
        const { log, store } = await openLog(envOf('after'))
        await log.move('all')
        const entries = await log.page(accountId, Number.MAX_SAFE_INTEGER, undefined)
        const found = entries.map(({ operation }) => operation)
        expect(new Set(found).size).toBe(found.length)
        expect(acknowledged.filter((operation) => !found.includes(operation))).toEqual([])
        expect(await log.verify(accountId)).toMatchObject({ valid: true, checked: found.length })
        expect(await log.verifyRecent(accountId)).toMatchObject({ valid: true })
        const segments = on === 'postgres' ? [] : await readdir(join(folder, 'audit', accountId))
        expect(segments.length > 1).toBe(on !== 'postgres')
        await store.close()
        await server?.stop()
        await rm(folder, { recursive: true, force: true })
      },
      longest,
    )
  },
)
