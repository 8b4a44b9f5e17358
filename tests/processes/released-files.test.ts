import '../long-alone.ts'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixtureFiles } from '#lab/fixtures/contents.ts'
import { nextFrame } from '#lab/fixtures/sessions.ts'
import { getKeys } from '#shared/contract/account/account.ts'
import { exportPerson } from '#shared/contract/account/person.ts'
import { getAllVerifications } from '#shared/contract/configuration/verification.ts'
import { getAllFaces, searchFace } from '#shared/contract/recognition/recognition.ts'
import { getUtcNow } from '#shared/contract/security/security.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { getUsage } from '#shared/contract/sessions/session-usage.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  startPostgresServer,
} from '../support/programs/postgres-server.ts'
import { problemOf } from '../support/visit.ts'
import { openReleasedStore, type ReleasedStore, type RunningServer } from './released-store.ts'

const longerThanAStart = 120_000

let store: ReleasedStore
let sealing: readonly string[]
const path = (name: string) => join(store.dataDir, name)
beforeAll(async () => {
  store = await openReleasedStore('0.2.0', 'lmdb')
  sealing = ['--passphrase-file', path(fixtureFiles.passphrase)]
}, longerThanAStart)
afterAll(() => store?.stop())

test('archives of an audit log verify, and its log continues from them', () => {
  const folder = path(fixtureFiles.archives)
  const files = readdirSync(folder).map((name) => join(folder, name))
  expect(files.length).toBeGreaterThan(0)
  const { code, printed } = store.command('audit', ['verify', ...files])
  for (const file of files) expect(printed).toContain(`continues from ${file}`)
  expect([code, printed.includes('not complete')]).toEqual([0, false])
})

test('the audit log of every account verifies', () => {
  const { code, printed } = store.command('audit', ['verify'])
  expect([code, printed.includes('NOT whole')]).toEqual([0, false])
})

test(
  'an export of a collection is imported with all its faces',
  async () => {
    const { collectionId, faceIds } = store.contents.collections[0]!
    const words = ['import', path(fixtureFiles.collectionExport), '--collection', 'imported', ...sealing]
    const { code, printed } = store.command('collection', words)
    expect([code, printed]).toEqual([0, expect.stringContaining('Collection: imported (new)')])
    const server = await store.start()
    const { call } = server.caller
    const facesOf = async (id: string) => {
      const { faces } = await call(getAllFaces, { query: { collectionId: id } })
      return faces.map(({ faceId, externalId }) => [faceId, externalId]).sort()
    }
    const imported = await facesOf('imported')
    expect(imported).toEqual(expect.arrayContaining(await facesOf(collectionId)))
    expect(imported.map(([faceId]) => faceId)).toEqual(expect.arrayContaining([...faceIds]))
    const image = { bytes: (await nextFrame()).bytes }
    expect(await call(searchFace, { body: { collectionId: 'imported', image } })).toMatchObject({
      faceId: expect.any(String),
    })
    await server.stop()
  },
  longerThanAStart,
)

describe('a backup that is restored with its journal', () => {
  let dataDir: string
  let server: RunningServer
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'selfsame-restored-'))
    const words = ['restore', path(fixtureFiles.backup), '--journal', path('journal'), ...sealing]
    const { code, printed } = store.command('backup', words, {
      DATA_DIR: dataDir,
      JOURNAL_FILE: join(dataDir, 'journal'),
    })
    expect([code, printed]).toEqual([0, expect.stringContaining('Records restored')])
    server = await store.start({ DATA_DIR: dataDir, JOURNAL_FILE: join(dataDir, 'journal') })
  }, longerThanAStart)
  afterAll(async () => {
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('has its keys, verifications and results', async () => {
    const { call } = server.caller
    const { keys } = await call(getKeys, {})
    for (const { keyId, name, isRevoked, apiKey } of store.contents.keys) {
      expect(keys.find((key) => key.keyId === keyId)).toMatchObject({ name })
      expect([name, await problemOf(call(getUtcNow, { apiKey }))]).toEqual([
        name,
        isRevoked ? 'unauthenticated' : 'no problem',
      ])
    }
    const { verifications } = await call(getAllVerifications, {})
    expect(verifications).toHaveLength(store.contents.verifications.length)
    for (const result of store.contents.results) {
      const query = { verificationSessionId: String(result.verificationSessionId) }
      expect(await call(getSessionResult, { query })).toMatchObject(result)
    }
  })

  test('has nothing that was erased or revoked after it', async () => {
    const { call } = server.caller
    const { revokedKey, erasedExternalId: externalId } = store.contents.backedUp!
    const { keys } = await call(getKeys, {})
    expect(keys.find(({ keyId }) => keyId === revokedKey)).toMatchObject({ revoked: expect.any(String) })
    expect(await call(exportPerson, { query: { externalId } })).toMatchObject({ faces: [] })
  })

  test('has the counts of the moment of the backup', async () => {
    const { query, answer } = store.contents.backedUp!.usage
    // Answers may gain members.
    expect(await server.caller.call(getUsage, { query })).toMatchObject(answer as object)
  })
})

describe.skipIf(!hasPostgresServer)(`an audit log that moves to rows${needsPostgresServer}`, () => {
  test(
    'is complete without the files that it came from, with its archives and its journal',
    async () => {
      const server = await startPostgresServer()
      const rows = { AUDIT_DIR: server.address }
      const archives = path(fixtureFiles.archives)
      const moved = store.command('audit', ['move', '--to', 'rows', '--archives', archives], rows)
      expect([moved.code, moved.printed]).toEqual([
        0,
        expect.stringMatching(/Copied: [1-9]\d* frames.* [1-9]\d* archives, [1-9]\d* lines/),
      ])
      for (const folder of [path('audit'), archives]) rmSync(folder, { recursive: true })
      const { code, printed } = store.command('audit', ['verify'], rows)
      expect(printed).toContain('continues from archive')
      expect(printed).toContain('The journal of the database is complete.')
      expect([code, printed.includes('NOT whole')]).toEqual([0, false])
      await server.stop()
    },
    longerThanAStart,
  )
})
