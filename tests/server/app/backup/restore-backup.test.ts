import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../../../../e2e/support/length.ts'
import { stepsOf } from '../../../support/lives/acts.ts'
import {
  backUpAndRestore,
  comparable,
  type Environment,
  type PlaceKind,
  type StoreKind,
} from '../../../support/lives/restores.ts'
import {
  hasPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../support/programs/postgres-server.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { hasRedisServer, startRedisServer } from '../../../support/programs/redis-server.ts'
import { rememberPassphrases } from '../../../support/sealed-files/remembered-passphrases.ts'

rememberPassphrases()
let folder: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let postgres: PostgresServer | undefined
const redis: Awaited<ReturnType<typeof startRedisServer>>[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-restored-'))
  receiver = await startReceiver()
  if (isLong && hasPostgresServer) postgres = await startPostgresServer()
}, 60_000)
afterAll(async () => {
  receiver.close()
  for (const server of redis) await server.stop()
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

let places = 0
async function placeOf(kind: PlaceKind): Promise<Environment> {
  const env = { DATA_DIR: join(folder, `store-${places++}`), SECRET: 'x'.repeat(40) }
  if (kind === 'LMDB') return env
  if (kind === 'Redis') {
    const server = await startRedisServer()
    redis.push(server)
    return { ...env, STORE: server.address }
  }
  const database = `restored_${places}`
  await postgres!.sql(`CREATE DATABASE ${database}`)
  return { ...env, STORE: postgres!.address.replace(/postgres$/, database) }
}

const servers: readonly PlaceKind[] = [
  ...(isLong && hasRedisServer ? (['Redis'] as const) : []),
  ...(isLong && hasPostgresServer ? (['PostgreSQL'] as const) : []),
]
const most = isLong ? 30 : 14
const runs = isLong ? { numRuns: 20, endOnFailure: true } : { numRuns: 1, seed: 51 }

/**
 * [Note: The product says what an erasure takes] Without the journal a restore reads as the store did at the backup. With it, it reads as that restore does
 * once the same is erased and revoked there.
 */
describe('a restore with the journal reads as at the backup, without what was erased and revoked since', () => {
  test.each<StoreKind>(['LMDB', 'memory', ...servers])(
    'after random days of a deployment on %s',
    async (from) => {
      const to = fc.constantFrom<PlaceKind>('LMDB', ...servers)
      const run = fc.record({ to, before: stepsOf(most), after: stepsOf(most) })
      const property = fc.asyncProperty(run, async (made) => {
        const restored = await backUpAndRestore({ from, ...made }, receiver.address, placeOf)
        const { atBackup, withoutJournal, erasedAgain, withJournal } = restored
        expect(comparable(withoutJournal, restored)).toEqual(comparable(atBackup, restored))
        expect(comparable(withJournal, restored)).toEqual(comparable(erasedAgain, restored))
      })
      await fc.assert(property, runs)
    },
    isLong ? 1_800_000 : 120_000,
  )
})
