import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runBackup } from '#server/app/command/run-backup.ts'
import { readSettings } from '#server/app/settings.ts'
import { createJournalLines } from '#server/platform/store/records/journal-lines.ts'
import { isLong } from '../../../../e2e/support/length.ts'
import { addFace, newCollection } from '../../../support/drawn/gallery.ts'
import { stepsOf } from '../../../support/lives/acts.ts'
import { readAll } from '../../../support/lives/reads.ts'
import {
  backUpAndRestore,
  comparable,
  type Environment,
  openServer,
  type PlaceKind,
  passphrase,
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
import { newVerification, openSession, submit } from '../../../support/visit.ts'

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
const runs = isLong ? { numRuns: 10, endOnFailure: true } : { numRuns: 1, seed: 51 }

/**
 * [Note: The product defines the effect of an erasure] Without the journal, a restored store reads as the original did at the time
 * of the backup. With the journal, it reads as that store does once the same data is erased and revoked there.
 */
describe('a restore with the journal reads as at the backup, without what was erased and revoked since', () => {
  test.each<StoreKind>(['LMDB', 'memory', ...servers])(
    'after random days of a deployment on %s',
    async (from) => {
      const to = fc.constantFrom<PlaceKind>('LMDB', ...servers)
      const run = fc.record({ to, before: stepsOf(most), after: stepsOf(most) })
      // One session before the backup and one after it, so that every run shows whether the counts stay the same.
      const session = { act: 'complete', pick: 1 } as const
      const property = fc.asyncProperty(run, async ({ to, before, after }) => {
        const made = { from, to, before: [session, ...before], after: [session, ...after] }
        const restored = await backUpAndRestore(made, receiver.address, placeOf)
        const { atBackup, withoutJournal, erasedAgain, withJournal } = restored
        expect(comparable(withoutJournal, restored)).toEqual(comparable(atBackup, restored))
        expect(comparable(withJournal, restored)).toEqual(comparable(erasedAgain, restored))
      })
      await fc.assert(property, runs)
    },
    isLong ? 1_800_000 : 120_000,
  )
})

test('counts survive a journal of 0.2.0, which recorded each addition to them as their removal', async () => {
  const env = await placeOf('LMDB')
  const [journal, path, passphraseFile] = ['journal', 'backup', 'passphrase'].map(
    (name) => `${env.DATA_DIR}.${name}`,
  ) as [string, string, string]
  await writeFile(passphraseFile, passphrase)
  const { host, keyRing, backUp, close } = await openServer(env)
  await submit(host, await openSession(host, await newVerification(host)), { person: 'anna' })
  const collectionId = await newCollection(host)
  await addFace(host, collectionId, { person: 'anna' })
  await backUp(path)
  const lines = createJournalLines(keyRing)
  for await (const { key } of host.store.list(''))
    if (/^(session-count|session-class|face)\//.test(key))
      await appendFile(journal, lines.entry(Date.now(), key, null))
  const before = await readAll(host, host.apiKey)
  await close()
  const to = await placeOf('LMDB')
  const run = (word: string) =>
    runBackup(
      [word, path, '--journal', journal, '--passphrase-file', passphraseFile],
      () => readSettings(to),
      { write: () => undefined, error: (text) => expect.fail(text), ask: async () => '' },
    )
  expect([await run('verify'), await run('restore')]).toEqual([0, 0])
  const restored = await openServer(to)
  const after = await readAll(restored.host, host.apiKey)
  await restored.close()
  const usage = (reads: typeof before) => Object.entries(reads).filter(([name]) => name.startsWith('usage'))
  expect(usage(after)).toEqual(usage(before))
  expect(JSON.stringify(usage(after))).toContain('"opened":1')
  expect(after[`faces of ${collectionId}`]).toMatchObject({ faceCount: 0 })
})
