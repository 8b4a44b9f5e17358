import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from '#server/app/settings.ts'
import { compareHeads, readReportedBefore } from '#server/features/audit/heads/compare-heads.ts'
import { openHeads } from '#server/features/audit/heads/open-heads.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'
import type { Entry, Store } from '#server/platform/store/store.ts'
import { createKey, getAccount, getKeys, revokeKey } from '#shared/contract/account/account.ts'
import { verifyAuditLog } from '#shared/contract/account/audit.ts'
import { getAllKiosks, revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { pairDevice, tokenOf } from '../../../support/kiosk-device.ts'
import { newVerification, problemOf } from '../../../support/visit.ts'

const folder = await mkdtemp(join(tmpdir(), 'selfsame-outside-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const keyRing = createKeyRing(Buffer.alloc(32, 8), 'EU')
let files = 0

/** A start that uses a store, along with the heads that are kept next to it. */
async function startOn(behind: Store, dataDir: string, auditDir?: string) {
  const { auditHeads: targets, auditDir: own } = readSettings({ DATA_DIR: dataDir }).upkeep
  const failures: unknown[] = []
  const heads = await openHeads(targets, keyRing, (error) => failures.push(error))
  const { headSender, reportedOutside, reportedBefore } = heads
  const store = createSealedStore(behind, createEntrySeal(keyRing))
  const auditSegments = createFolderSegments(auditDir ?? own, Date.now)
  const ports = { auditSegments, keyRing, onAuditHead: headSender.tell, reportedOutside }
  const host = await startHost({ store, ports })
  const compare = () => compareHeads({ ...host.services, keyRing, targets, headSender }, reportedBefore)
  return { host, compare, headSender, failures }
}

async function entriesOf(store: Store): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of store.list('')) found.push(entry)
  return found
}

async function storeOf(entries: readonly Entry[]): Promise<Store> {
  const store = createMemoryStore()
  for (const { key, value } of entries) await store.put(key, value)
  return store
}

async function newFolder(): Promise<string> {
  const path = join(folder, `data-${files++}`)
  await mkdir(path)
  return path
}

/** A change with an entry that has moved to the segments, which show where the log ends. */
async function newKey(host: Host) {
  const made = await host.call(createKey, { body: { name: 'Lost', scopes: ['analyse', 'admin'] } })
  await host.services.auditLog.move('due')
  return made
}

test('heads are kept in DATA_DIR by default, for their owner only, with revocations', async () => {
  const dataDir = await newFolder()
  const { host, headSender } = await startOn(createMemoryStore(), dataDir)
  const { keyId } = await newKey(host)
  await host.call(revokeKey, { query: { keyId } })
  await headSender.flush()
  const path = join(dataDir, 'heads.jsonl')
  const lines = (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toContainEqual({
    time: expect.any(String),
    accountId: host.accountId,
    revoked: { kind: 'key', id: keyId, at: 3 },
    mac: expect.any(String),
  })
  expect(lines.at(-1)).toMatchObject({ accountId: host.accountId, sequence: 3 })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await host.close()
})

test('a store file that was restored is reported at every start, and later revocations remain valid', async () => {
  const dataDir = await newFolder()
  const behind = createMemoryStore()
  const first = await startOn(behind, dataDir)
  const { host } = first
  const { keyId, apiKey } = await newKey(host)
  const verificationId = await newVerification(host, {
    verifierConfigs: { liveness: { type: 'Verification' } },
  })
  const device = await pairDevice(host, verificationId)
  const former = await entriesOf(behind)
  await host.call(revokeKey, { query: { keyId } })
  await host.call(revokeKiosk, { query: { kioskId: device.kioskId } } as never)
  await first.headSender.flush()
  await host.close()

  const putBack = await storeOf(former)
  for (const _start of [1, 2, 3]) {
    const again = await startOn(putBack, dataDir)
    const asBefore = { apiKey: host.apiKey }
    expect(await problemOf(again.host.call(getAccount, { apiKey }))).toBe('unauthenticated')
    const { keys } = await again.host.call(getKeys, asBefore)
    expect(keys.find((key) => key.keyId === keyId)!.revoked).not.toBeNull()
    const { kiosks } = await again.host.call(getAllKiosks, asBefore)
    expect(kiosks).toMatchObject([{ state: 'Revoked' }])
    const elsewhere = { call: again.host.call, now: again.host.now }
    expect(await problemOf(tokenOf(elsewhere, { ...device, issuer: again.host.origin }))).toBe(
      'kiosk_revoked',
    )
    expect(await again.host.call(verifyAuditLog, { ...asBefore, query: {} })).toMatchObject({ valid: false })
    expect((await again.compare()).map(({ accountId }) => accountId)).toContain(host.accountId)
    // New reports must not hide earlier ones.
    await again.host.call(createKey, { ...asBefore, body: { name: 'Later', scopes: ['analyse'] } })
    await again.headSender.flush()
    await again.host.close()
  }
})

test('a revoked key whose former record was restored is refused at the next start, even without a file', async () => {
  const behind = createMemoryStore()
  const auditDir = await newFolder()
  const first = await startOn(behind, await newFolder(), auditDir)
  const { keyId, apiKey } = await newKey(first.host)
  const former = (await entriesOf(behind)).filter(({ key }) => key.startsWith('api-key/'))
  await first.host.call(revokeKey, { query: { keyId } })
  await first.host.close()
  for (const { key, value } of former) await behind.put(key, value)

  const again = await startOn(behind, await newFolder(), auditDir)
  const mine = (await again.compare()).filter(({ accountId }) => accountId === first.host.accountId)
  expect(mine).toMatchObject([{ fault: 'revocationUndone' }])
  expect(await problemOf(again.host.call(getAccount, { apiKey }))).toBe('unauthenticated')
  await again.host.call(revokeKey, { apiKey: first.host.apiKey, query: { keyId } })
  const { accountId } = first.host
  expect((await again.compare()).map((found) => found.accountId)).not.toContain(accountId)
  await again.host.close()
})

test('a line written without the secret revokes nothing', async () => {
  const dataDir = await newFolder()
  const behind = createMemoryStore()
  const first = await startOn(behind, dataDir)
  const { keyId, apiKey } = await newKey(first.host)
  const { accountId } = first.host
  const line = {
    time: '2026-01-01T00:00:00.000Z',
    accountId,
    revoked: { kind: 'key', id: keyId, at: 3 },
    mac: 'x',
  }
  await writeFile(join(dataDir, 'heads.jsonl'), `${JSON.stringify(line)}\n`)
  const again = await startOn(behind, dataDir)
  expect(await problemOf(again.host.call(getAccount, { apiKey }))).toBe('no problem')
  await first.host.close()
  await again.host.close()
})

test('an unwritable file stops nothing, is reported, and receives the revocations once possible', async () => {
  const dataDir = await newFolder()
  const path = join(dataDir, 'heads.jsonl')
  const { host, headSender, failures } = await startOn(createMemoryStore(), dataDir)
  await mkdir(path)
  const { keyId } = await newKey(host)
  await host.call(revokeKey, { query: { keyId } })
  await headSender.flush()
  expect(failures.length).toBeGreaterThan(0)
  await rm(path, { recursive: true })
  await newKey(host)
  await headSender.flush()
  expect(await readFile(path, 'utf8')).toContain(keyId)
  await host.close()
})

test('the file is kept small, and keeps the last head of each account and every revocation', async () => {
  const dataDir = await newFolder()
  const path = join(dataDir, 'heads.jsonl')
  const { host, headSender } = await startOn(createMemoryStore(), dataDir)
  const { keyId } = await newKey(host)
  await host.call(revokeKey, { query: { keyId } })
  await headSender.flush()
  const [told] = (await readFile(path, 'utf8')).split('\n')
  const head = { time: '2026-01-01T00:00:00.000Z', accountId: 'somebody', hash: 'h' }
  const many = Array.from({ length: 13_000 }, (_, sequence) => JSON.stringify({ ...head, sequence }))
  await writeFile(path, `${told}\n${many.join('\n')}\n`)
  await newKey(host)
  await headSender.flush()
  expect((await stat(path)).size).toBeLessThan(2000)
  const reportedOutside = host.services.reportedOutside
  const before = await readReportedBefore([{ kind: 'file', path }], keyRing, reportedOutside)
  expect(before.get('somebody')).toMatchObject([{ sequence: 12_999 }])
  expect(before.get(host.accountId)).toMatchObject([{ sequence: 4 }])
  expect(await readFile(path, 'utf8')).toContain(keyId)
  await host.close()
})
