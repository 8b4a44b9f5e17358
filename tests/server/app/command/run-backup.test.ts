import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAuditPlace } from '#server/app/audit-place.ts'
import { runBackup } from '#server/app/command/run-backup.ts'
import { readSettings } from '#server/app/settings.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import { createEvidenceRecords, ownerOf } from '#server/features/sessions/records/evidence-records.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { createMemoryBlobs } from '#server/platform/store/blobs/memory-blobs.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { restoreMark } from '#server/platform/store/store-stamp.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { createKey, getKeys, revokeKey } from '#shared/contract/account/account.ts'
import { getAuditLog, verifyAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import { removePerson } from '#shared/contract/console/people.ts'
import { deleteFace, searchFace } from '#shared/contract/recognition/recognition.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { cancelSession } from '#shared/contract/sessions/session-list.ts'
import { isLong } from '../../../../e2e/support/length.ts'
import { signedInAs } from '../../../support/console-visitor.ts'
import { addFace, imageOf, newCollection } from '../../../support/drawn/gallery.ts'
import { startHost } from '../../../support/host.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../support/programs/postgres-server.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from '../../../support/programs/redis-server.ts'
import { serverProgram } from '../../../support/programs/server-program.ts'
import { rememberPassphrases } from '../../../support/sealed-files/remembered-passphrases.ts'
import { newVerification, openSession, problemOf } from '../../../support/visit.ts'

type Environment = Readonly<Record<string, string>>

rememberPassphrases()
let folder: string
let passphraseFile: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-backup-'))
  passphraseFile = join(folder, 'passphrase')
  await writeFile(passphraseFile, 'a passphrase of some length\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function backup(env: Environment, ...words: string[]) {
  const told: string[] = []
  const code = await runBackup(
    [...words, '--passphrase-file', passphraseFile, '--json'],
    () => readSettings(env),
    { write: (text) => told.push(text), error: (text) => told.push(text), ask: async () => '' },
  )
  return { code, told: told.join('\n') }
}

/**
 * Runs in a separate process, the way an operator makes a backup next to a running server. Opening a folder twice in the
 * same process, with one of the two writing all the time, may deadlock. @throws if it fails
 */
async function backupElsewhere(env: Environment, ...words: string[]): Promise<void> {
  const how = { env: { PATH: process.env.PATH, ...env } }
  await promisify(execFile)(
    process.execPath,
    [...serverProgram('backup'), ...words, '--passphrase-file', passphraseFile, '--json'],
    how,
  )
}

/** A store with its keys, as a server opens it, along with the raw store under the seal. */
async function open(env: Environment) {
  const settings = readSettings(env)
  const opened = await openStore(settings, () => undefined)
  const { segments: auditSegments } = await openAuditPlace(settings, opened.rows, () => undefined)
  return {
    ...{ behind: opened.store, close: opened.store.close, auditSegments },
    ...(await openKeyRing(opened.store, settings)),
  }
}

async function recordsOf(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { key, value, expiresAt } of store.list('')) {
    const seconds = expiresAt === undefined ? 'never' : String(Math.round(expiresAt / 1000))
    found.set(key, `${seconds} ${Buffer.from(value).toString('base64')}`)
  }
  return found
}

/**
 * [Note: By another clock] If a server's clock determines the expiry, the remaining time counts from when that server
 * receives the entry.
 */
function expectSame(is: Map<string, string>, was: Map<string, string>, expiriesWithinSeconds: number): void {
  const closeTo = (key: string, record: string) => {
    const [seconds, value] = record.split(' ')
    const [before] = (was.get(key) ?? '').split(' ')
    const isClose = Math.abs(Number(seconds) - Number(before)) <= expiriesWithinSeconds
    return isClose ? `${before} ${value}` : record
  }
  expect(new Map([...is].map(([key, record]) => [key, closeTo(key, record)]))).toEqual(was)
}

/** Records that a restore always creates again. */
const renewed = /^(token-key|account|audit-outbox|audit-head)\//

const aFrame = { kind: 'entries', first: 1, last: 1, time: 0, content: Buffer.of(1) } as const
const file = (name: string) => join(folder, `${name}-${Math.random()}`)

type Place = (name: string) => Promise<Environment>

/** Tests that depend on how a store lists its records. */
function recordsTests(place: Place, expiriesWithinSeconds = 0): void {
  test('a restore into an empty store brings back record after record, with its expiry', async () => {
    const [from, to] = [await place('from'), await place('to')]
    const source = await open(from)
    const host = await startHost({ store: source.store, ports: { keyRing: source.keyRing } })
    const collectionId = await newCollection(host)
    for (const person of ['anna', 'boris']) await addFace(host, collectionId, { person })
    await source.store.put('passing/a', Buffer.from('gone in an hour'), 3600)
    await source.store.put('passing/b', Buffer.from('gone at once'), 0.001)
    const path = file('backup')
    expect(await backup(from, 'create', path)).toMatchObject({ code: 0 })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readFile(path)).includes('verification')).toBe(false)
    expect(await backup(to, 'verify', path)).toMatchObject({ code: 0 })
    expect(await backup(to, 'restore', path)).toMatchObject({ code: 0 })
    if (to.STORE === undefined) expect((await stat(to.DATA_DIR!)).mode & 0o777).toBe(0o700)
    const restored = await open(to)
    const [was, is] = [await recordsOf(source.behind), await recordsOf(restored.behind)]
    for (const records of [was, is]) {
      // A host keeps writing these while they are copied.
      for (const key of records.keys())
        if (renewed.test(key) || /^(rate-share|request-log)\//.test(key)) records.delete(key)
    }
    expect(was.size).toBeGreaterThanOrEqual(10)
    expectSame(is, was, expiriesWithinSeconds)
    const again = await startHost({ store: restored.store, ports: { keyRing: restored.keyRing } })
    const body = { collectionId, image: imageOf({ person: 'anna' }) }
    expect(await again.call(searchFace, { apiKey: host.apiKey, body })).toMatchObject({ hasFace: true })
    await Promise.all([host.close(), again.close()])
    await Promise.all([source.close(), restored.close()])
  })
}

/** Tests that depend on how a store takes a snapshot. */
function momentTests(place: Place): void {
  test('a backup under load shows one moment: no partial commit, and no missing one that was acknowledged before', async () => {
    const [from, to] = [await place('load'), await place('loaded')]
    const { store, close } = await open(from)
    const table = createTable<number>(store, 'picture-log-end')
    const pairs = 400
    const both = (pair: number, value: number | undefined) => [
      table.write(deployment, `left ${pair}`, value),
      table.write(deployment, `right ${pair}`, value),
    ]
    for (let pair = 0; pair < pairs; pair += 50) {
      const several = Array.from({ length: 50 }, (_, i) => both(pair + i, 0))
      await store.commit(several.flat(), [])
    }
    let [round, reportedBefore, working] = [0, 0, true]
    const work = (async () => {
      for (; working; round++) {
        const chosen = Array.from({ length: 20 }, (_, i) => (round * 37 + i * 53) % pairs)
        await store.commit(
          chosen.flatMap((pair) => both(pair, round % 11 === 10 ? undefined : round + 1)),
          [],
        )
        await table.put(deployment, 'told', round)
      }
    })()
    while (round < 50) await new Promise((over) => setTimeout(over, 1))
    reportedBefore = round - 1
    const path = file('load')
    await backupElsewhere(from, 'create', path)
    const reportedAfter = round
    working = false
    await work
    await close()
    expect(reportedAfter).toBeGreaterThan(reportedBefore)
    expect(await backup(to, 'restore', path)).toMatchObject({ code: 0 })
    const restored = await open(to)
    const back = createTable<number>(restored.store, 'picture-log-end')
    const told = (await back.get(deployment, 'told'))!
    expect(told).toBeGreaterThanOrEqual(reportedBefore)
    const expected = new Map<number, number | undefined>(Array.from({ length: pairs }, (_, i) => [i, 0]))
    const play = (upTo: number) => {
      for (let at = 0; at <= upTo; at++) {
        for (let i = 0; i < 20; i++)
          expected.set((at * 37 + i * 53) % pairs, at % 11 === 10 ? undefined : at + 1)
      }
      return JSON.stringify([...expected.values()].map((value) => value ?? null))
    }
    const found: (number | null)[] = []
    for (let pair = 0; pair < pairs; pair++) {
      const [left, right] = await Promise.all([
        back.get(deployment, `left ${pair}`),
        back.get(deployment, `right ${pair}`),
      ])
      expect(left).toBe(right)
      found.push(left ?? null)
    }
    // It may happen between a commit and its acknowledgement.
    expect([play(told), play(told + 1)]).toContain(JSON.stringify(found))
    await restored.close()
  })
}

function recoveryTests(place: Place): void {
  test('a backup has nothing that opens pictures kept for a review', async () => {
    const [from, to] = [await place('kept'), await place('kept-again')]
    const source = await open(from)
    await source.store.put('evidence/a/b', Buffer.from('{"schema":1,"value":{}}'), 3600)
    await source.store.put('verification-name/a/b', Buffer.from('{"schema":1,"value":"stays"}'))
    const path = file('without-evidence')
    await backup(from, 'create', path)
    await source.close()
    await backup(to, 'restore', path)
    const again = await open(to)
    expect(await again.store.get('verification-name/a/b')).toBeDefined()
    expect(await again.store.get('evidence/a/b')).toBeUndefined()
    await again.close()
  })

  test('a backup made while a session is open contains its picture key in no record, and the session goes on', async () => {
    const [from, to] = [await place('open'), await place('open-again')]
    const source = await open(from)
    const blobs = createMemoryBlobs()
    const host = await startHost({ store: source.store, ports: { keyRing: source.keyRing, blobs } })
    const purpose = { privacyConfig: { purpose: 'To open an account' } }
    const opened = await openSession(
      host,
      await newVerification(host, { evidenceConfig: { keep: 'all' }, ...purpose }),
    )
    const whose = { accountId: host.accountId, sessionId: opened.verificationSessionId }
    const { key } = (await createEvidenceRecords(source.store, source.keyRing, Date.now).read(whose))!.value
    const raw = source.keyRing.open('evidence-key', ownerOf(whose), key)
    const path = file('open')
    await backup(from, 'create', path)
    await Promise.all([host.close(), source.close()])
    await backup(to, 'restore', path)
    const again = await open(to)
    const session = `${whose.accountId}/${whose.sessionId}`
    const texts: string[] = []
    for await (const { key: name, value } of again.store.list('')) {
      const text = Buffer.from(value).toString('latin1')
      texts.push(name, text)
      if (!name.startsWith('session/')) continue
      const { value: sealed } = JSON.parse(text) as { value: string }
      texts.push(again.keyRing.open('session', session, sealed).toString('latin1'))
    }
    // The open session is one of them, fully decrypted.
    expect(texts.filter((text) => text.includes('"observations":'))).toHaveLength(1)
    const forms = (['latin1', 'base64', 'base64url', 'hex'] as const).map((form) => raw.toString(form))
    for (const form of [key, ...forms]) expect(texts.filter((text) => text.includes(form))).toEqual([])
    const restored = await startHost({
      store: again.store,
      ports: { keyRing: again.keyRing, blobs },
    })
    const body = { verificationSessionId: opened.verificationSessionId }
    await restored.call(cancelSession, { apiKey: host.apiKey, body })
    await restored.close()
    await again.close()
  })

  test('a restore brings back the audit log: moved and waiting entries, and nothing that came later', async () => {
    const [from, to] = [await place('logged'), await place('logged-again')]
    const source = await open(from)
    const { keyRing, store, auditSegments } = source
    const host = await startHost({ store, ports: { keyRing, auditSegments } })
    const newKey = (name: string) => host.call(createKey, { body: { name, scopes: ['analyse'] } })
    await newKey('moved')
    await host.services.auditLog.move('all')
    await newKey('waits')
    const path = file('logged')
    expect(await backup(from, 'create', path)).toMatchObject({ code: 0 })
    await host.close()
    await source.close()
    expect(await backup(to, 'restore', path)).toMatchObject({ code: 0 })
    const restored = await open(to)
    const ports = { keyRing: restored.keyRing, auditSegments: restored.auditSegments }
    const again = await startHost({ store: restored.store, ports })
    const { apiKey } = host
    const { entries } = await again.call(getAuditLog, { apiKey, query: {} })
    expect(entries.map(({ operation }) => operation)).toEqual([
      'restoreBackup',
      'createKey',
      'createKey',
      'createAccount',
    ])
    expect(await again.call(verifyAuditLog, { apiKey, query: {} })).toMatchObject({ valid: true, checked: 4 })
    await again.close()
    await restored.close()
    const leftOver = join(folder, 'left-over')
    await createFolderSegments(leftOver, Date.now).append('shop', [aFrame])
    expect(await backup({ ...(await place('elsewhere')), AUDIT_DIR: leftOver }, 'restore', path)).toEqual({
      code: 1,
      told: expect.stringContaining('AUDIT_DIR'),
    })
  })

  test('a restore repeats later erasures and revocations, and ends earlier links and tokens', async () => {
    const journal = file('journal')
    const [from, to] = [{ ...(await place('erased')), JOURNAL_FILE: journal }, await place('replayed')]
    const source = await open(from)
    const host = await startHost({ store: source.store, ports: { keyRing: source.keyRing } })
    const { apiKey } = host
    const lost = await host.call(createKey, { body: { name: 'Lost', scopes: ['analyse'] } })
    const collectionId = await newCollection(host)
    const [anna, boris] = [
      await addFace(host, collectionId, { person: 'anna' }),
      await addFace(host, collectionId, { person: 'boris' }),
    ]
    const { signedQueryString } = await host.call(createSignature, { body: { queryString: 'a=1' } })
    const { token } = await host.call(getToken, { query: {} })
    const [ada, bob] = [await signedInAs(host, 'owner', 'Ada'), await signedInAs(host, 'owner', 'Bob')]
    const path = file('erased')
    expect(await backup(from, 'create', path)).toMatchObject({ code: 0 })
    await host.call(deleteFace, { query: { collectionId, faceId: anna } })
    await host.call(deletePerson, { query: { externalId: 'person-7' } })
    await host.call(revokeKey, { query: { keyId: lost.keyId } })
    const { operatorId } = bob.me()
    expect((await ada.ask(removePerson, { operatorId })).status).toBe(200)
    await host.close()
    await source.close()
    expect((await readFile(journal, 'utf8')).includes('person-7')).toBe(false)
    expect((await stat(journal)).mode & 0o777).toBe(0o600)

    expect(await backup(to, 'restore', path, '--journal', journal)).toMatchObject({ code: 0 })
    const restored = await open(to)
    const again = await startHost({ store: restored.store, ports: { keyRing: restored.keyRing } })
    const search = async (person: string) =>
      (await again.call(searchFace, { apiKey, body: { collectionId, image: imageOf({ person }) } })).faceId
    expect([await search('anna'), await search('boris')]).toEqual([null, boris])
    const { keys } = await again.call(getKeys, { apiKey, query: {} } as never)
    expect(keys.find(({ keyId }) => keyId === lost.keyId)?.revoked).not.toBeNull()
    const refused = again.call(getUtcNow, { apiKey: lost.apiKey } as never)
    expect(await problemOf(refused)).toBe('unauthenticated')
    const judged = { apiKey, body: { queryString: signedQueryString } }
    expect(await again.call(validateSignature, judged)).not.toMatchObject({ result: 'Valid' })
    expect(await problemOf(again.call(getUtcNow, { bearer: token }))).toBe('unauthenticated')
    const { operators } = again.services
    const team = await operators.teams.get('', host.accountId)
    expect(team?.members.map(({ name }) => name)).toEqual(['Ada'])
    expect(await allOf(operators.signIns.list(ada.me().operatorId))).toEqual([])
    expect(await operators.operators.get('', ada.me().operatorId)).toMatchObject({ name: 'Ada' })
    await again.close()
    await restored.close()
  })
}

describe('npm run backup, on LMDB', () => {
  let places = 0
  const place = async (name: string) => ({
    DATA_DIR: join(folder, `${name}-${places++}`),
    SECRET: 'x'.repeat(40),
  })
  recordsTests(place)
  momentTests(place)
  recoveryTests(place)
})

const describeLong = isLong ? describe : undefined

describeLong?.skipIf(!hasRedisServer)(`npm run backup, on Redis${needsRedisServer}`, () => {
  const servers: Awaited<ReturnType<typeof startRedisServer>>[] = []
  afterAll(async () => {
    for (const server of servers) await server.stop()
  })
  const place = async (name: string) => {
    const server = await startRedisServer()
    servers.push(server)
    return { STORE: server.address, DATA_DIR: join(folder, name), SECRET: 'x'.repeat(40) }
  }
  momentTests(place)
  recordsTests(place)
  // Uses files, as the embedded store does.
  recoveryTests(place)
})

describeLong?.skipIf(!hasPostgresServer)(`npm run backup, on PostgreSQL${needsPostgresServer}`, () => {
  let server: PostgresServer
  let databases = 0
  beforeAll(async () => {
    server = await startPostgresServer()
  })
  afterAll(() => server?.stop())

  const places = {
    async PostgreSQL(name: string): Promise<Environment> {
      const database = `backup_${databases++}`
      await server.sql(`CREATE DATABASE ${database}`)
      const STORE = server.address.replace(/postgres$/, database)
      return { STORE, DATA_DIR: join(folder, `${name}-${database}`), SECRET: 'x'.repeat(40) }
    },
    LMDB: async (name: string): Promise<Environment> => ({
      DATA_DIR: join(folder, `moved-${name}-${databases++}`),
      SECRET: 'x'.repeat(40),
    }),
    async Redis(name: string): Promise<Environment> {
      const redis = await startRedisServer()
      redisServers.push(redis)
      return { ...(await places.LMDB(name)), STORE: redis.address }
    },
  }
  const redisServers: Awaited<ReturnType<typeof startRedisServer>>[] = []
  afterAll(async () => {
    for (const redis of redisServers) await redis.stop()
  })

  recordsTests(places.PostgreSQL, 2)
  momentTests(places.PostgreSQL)
  recoveryTests(places.PostgreSQL)

  const moves = [
    ['LMDB', 'PostgreSQL'],
    ...(hasRedisServer ? ([['Redis', 'PostgreSQL']] as const) : []),
    ['PostgreSQL', 'LMDB'],
    ...(hasRedisServer ? ([['PostgreSQL', 'Redis']] as const) : []),
  ] as const
  test.each(moves)(
    'a deployment moves from %s to %s while it is in use, record by record',
    async (from, to) => move(await places[from]('from'), await places[to]('to')),
  )
})

/** Compares the records from before the backup, and the ones written one after another while it ran. */
async function move(from: Environment, to: Environment): Promise<void> {
  const { store, behind, close } = await open(from)
  const table = createTable<string>(store, 'audit-salt')
  const still = Array.from({ length: 300 }, (_, i) => `still ${i}`)
  await Promise.all(
    still.map((id) => table.put(deployment, id, id.repeat(20), id.endsWith('7') ? 3600 : undefined)),
  )
  const before = await recordsOf(behind)
  let isWorking = true
  const working = (async () => {
    for (let i = 0; isWorking; i++) await table.put(deployment, `moving ${i % 50}`, String(i))
  })()
  const path = join(folder, `moved-${Math.random()}`)
  await backupElsewhere(from, 'create', path)
  isWorking = false
  await working
  await close()
  expect(await backup(to, 'restore', path)).toMatchObject({ code: 0 })
  const restored = await open(to)
  const after = await recordsOf(restored.behind)
  const moved = [...before].filter(([key]) => !renewed.test(key))
  expect(moved.length).toBeGreaterThan(still.length)
  expectSame(new Map(moved.map(([key]) => [key, after.get(key) ?? 'gone'])), new Map(moved), 2)
  const back = createTable<string>(restored.store, 'audit-salt')
  const moving = (await allOf(back.list(deployment))).filter((value) => /^\d+$/.test(value)).map(Number)
  // They show a single moment: the last fifty, without any gaps.
  expect(moving.length).toBe(Math.min(50, Math.max(...moving) + 1))
  expect(Math.max(...moving) - Math.min(...moving)).toBe(moving.length - 1)
  await restored.close()
}

describe('npm run backup refuses', () => {
  const made = { SECRET: 'y'.repeat(40) }
  const at = (name: string) => ({ ...made, DATA_DIR: join(folder, name) })
  let path: string
  beforeAll(async () => {
    const { store, close } = await open(at('refused'))
    await store.put('a/b', Buffer.from('c'))
    await close()
    path = join(folder, 'refused.backup')
    expect(await backup(at('refused'), 'create', path)).toMatchObject({ code: 0 })
  })

  test.each([
    ['a store that is not empty', () => at('refused'), () => ['restore', path], 1, 'is not empty'],
    [
      'a file that is there already',
      () => at('refused'),
      () => ['create', path],
      1,
      'Files are never overwritten',
    ],
    [
      'no secret',
      () => ({ DATA_DIR: join(folder, 'bare') }),
      () => ['verify', path],
      1,
      'The secret is missing',
    ],
    [
      'another secret',
      () => ({ ...at('new'), SECRET: 'z'.repeat(40) }),
      () => ['verify', path],
      1,
      'does not open',
    ],
    [
      'another region',
      () => ({ ...at('new'), REGION: 'US' }),
      () => ['restore', path],
      1,
      'region EU, not US',
    ],
    ['a file that is missing', () => at('new'), () => ['verify', `${path}.none`], 1, 'There is no file'],
    ['a folder without a store', () => at('nothing'), () => ['create', `${path}.2`], 1, 'There is no store'],
    ['no file', () => at('new'), () => ['restore'], 2, 'FILE is missing.\nUsage: npm run backup -- help'],
    ['a word too many', () => at('new'), () => ['verify', path, 'more'], 2, 'too many'],
    ['another command', () => at('new'), () => ['recreate', path], 2, 'no command "recreate"'],
    [
      'a journal that is missing',
      () => at('lost'),
      () => ['restore', path, '--journal', 'none'],
      1,
      'No journal exists',
    ],
  ])('%s', async (_name, env, words, code, why) => {
    expect(await backup(env(), ...words())).toEqual({ code, told: expect.stringContaining(why) })
  })

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -20)],
    ['altered', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 80), Buffer.of(7), bytes.subarray(81)])],
  ])('a backup that was %s, and changes nothing', async (name, change) => {
    const damaged = join(folder, `damaged-${name}`)
    await writeFile(damaged, change(await readFile(path)))
    expect(await backup(at(`empty-${name}`), 'restore', damaged)).toMatchObject({ code: 1 })
    expect(await backup(at(`empty-${name}`), 'restore', path)).toMatchObject({ code: 0 })
  })

  test('an altered journal, before anything is restored', async () => {
    const journal = join(folder, 'altered-journal')
    const env = { ...at('refused'), JOURNAL_FILE: journal }
    const { store, close } = await open(env)
    for (const key of ['a/c', 'a/d']) await store.put(key, Buffer.from('e'))
    for (const key of ['a/c', 'a/d']) await store.remove(key)
    await close()
    const written = await readFile(journal, 'utf8')
    await writeFile(journal, written.replace('a/d', 'a/e'))
    const told = expect.stringContaining('altered at line 2')
    const to = at('not-begun')
    expect(await backup(to, 'restore', path, '--journal', journal)).toEqual({ code: 1, told })
    expect(await backup(to, 'verify', path, '--journal', journal)).toEqual({ code: 1, told })
    await writeFile(journal, written)
    expect(await backup(to, 'verify', path, '--journal', journal)).toMatchObject({ code: 0 })
    expect(await backup(to, 'restore', path, '--journal', journal)).toMatchObject({ code: 0 })
  })

  test('to start on a store with an interrupted restore', async () => {
    const { behind, close } = await open(at('lost'))
    await behind.commit([restoreMark(behind, true)], [])
    await close()
    await expect(open(at('lost'))).rejects.toThrow('A restore into this store was cut short')
  })
})
