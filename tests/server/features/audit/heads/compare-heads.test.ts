import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { compareHeads, rolledBackWords } from '#server/features/audit/heads/compare-heads.ts'
import { createHeadSender } from '#server/features/audit/heads/head-sender.ts'
import type { HeadTarget } from '#server/features/audit/heads/head-target.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'
import type { Entry } from '#server/platform/store/store.ts'
import { createKey, getAccount, revokeKey } from '#shared/contract/account/account.ts'
import { verifyAuditLog } from '#shared/contract/account/audit.ts'
import { createKiosk, revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { framesOf, putFrames } from '../../../../support/audit/segments-of-host.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, problemOf } from '../../../../support/visit.ts'

const folder = await mkdtemp(join(tmpdir(), 'selfsame-heads-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const keyRing = createKeyRing(Buffer.alloc(32, 8), 'EU')
let behind: ReturnType<typeof createMemoryStore>
let host: Host
let path: string
let targets: readonly HeadTarget[]
let tell: ReturnType<typeof createHeadSender>
let files = 0

beforeEach(async () => {
  behind = createMemoryStore()
  path = join(folder, `heads-${files++}`)
  targets = [{ kind: 'file', path }]
  tell = createHeadSender({
    targets,
    keyRing,
    outbound: { post: async () => 200 },
    now: Date.now,
    onFailure: (error) => {
      throw error
    },
  })
  const store = createSealedStore(behind, createEntrySeal(keyRing))
  host = await startHost({ store, ports: { keyRing, onAuditHead: tell.tell } })
  return async () => {
    await host.close()
    await tell.flush()
  }
})

const compare = () => compareHeads({ ...host.services, keyRing, targets, headSender: tell })
const move = () => host.services.auditLog.move('due')
/** A change with an entry that has moved to the segments, which show where the log ends. */
async function newKey(name: string) {
  const made = await host.call(createKey, { body: { name, scopes: ['analyse'] } })
  await move()
  return made
}
/** The audit log's records in the store. */
const kinds = ['audit-head', 'audit-outbox']

/** All records of certain kinds, so that they can be restored later, as anyone with write access to the store could. */
async function stateOf(...kinds: string[]): Promise<Entry[]> {
  const found: Entry[] = []
  for (const kind of kinds) for await (const entry of behind.list(`${kind}/`)) found.push(entry)
  return found
}

async function putBack(which: readonly string[], former: readonly Entry[]): Promise<void> {
  for (const { key } of await stateOf(...which)) await behind.remove(key)
  for (const { key, value } of former) await behind.put(key, value)
}

test('finds nothing without a rollback, and reports each head once', async () => {
  await newKey('One')
  await newKey('Two')
  await tell.flush()
  expect(await compare()).toEqual([])
  await tell.flush()
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    [1, 2].map(() => ({
      time: expect.any(String),
      accountId: host.accountId,
      sequence: 3,
      hash: expect.any(String),
    })),
  )
})

test('sees that the newest entry was removed together with a restored head, which the chain alone does not', async () => {
  await newKey('One')
  const [former, frames] = [await stateOf(...kinds), await framesOf(host)]
  await newKey('Two')
  await tell.flush()
  await putBack(kinds, former)
  await putFrames(host, frames)
  expect(await host.call(verifyAuditLog, { query: {} })).toMatchObject({ valid: true })
  const found = await compare()
  expect(found).toEqual([{ accountId: host.accountId, fault: 'missing', faultAt: 3 }])
  expect(rolledBackWords(found)).toContain(`${host.accountId}: missing at 3`)
})

test('sees that an entry was removed and rewritten', async () => {
  await newKey('One')
  const [former, frames] = [await stateOf(...kinds), await framesOf(host)]
  await newKey('Two')
  await tell.flush()
  await putBack(kinds, former)
  await putFrames(host, frames)
  await newKey('Another')
  expect(await compare()).toEqual([{ accountId: host.accountId, fault: 'rewritten', faultAt: 3 }])
})

test('sees an account that is gone with its log', async () => {
  await newKey('One')
  await tell.flush()
  await putBack(['account'], [])
  expect(await compare()).toEqual([{ accountId: host.accountId, fault: 'accountMissing', faultAt: null }])
})

test('sees that the former record of a revoked key was restored, also by verify-audit-log', async () => {
  const { keyId, apiKey } = await newKey('Lost')
  const former = await stateOf('api-key')
  await host.call(revokeKey, { query: { keyId } })
  expect(await compare()).toEqual([])
  await putBack(['api-key'], former)
  expect(await problemOf(host.call(getAccount, { apiKey } as never))).toBe('unauthenticated')
  expect(await compare()).toEqual([{ accountId: host.accountId, fault: 'revocationUndone', faultAt: 3 }])
  expect(await host.call(verifyAuditLog, { query: {} })).toMatchObject({
    valid: false,
    fault: 'revocationUndone',
    faultAt: 3,
  })
})

test('sees that the former record of a revoked kiosk was restored', async () => {
  const verificationId = await newVerification(host, {
    verifierConfigs: { liveness: { type: 'Verification' } },
  })
  const { kioskId } = await host.call(createKiosk, { body: { name: 'Door', verificationId } })
  const former = await stateOf('kiosk')
  await host.call(revokeKiosk, { query: { kioskId } } as never)
  expect(await compare()).toEqual([])
  await putBack(['kiosk'], former)
  expect(await compare()).toMatchObject([{ fault: 'revocationUndone' }])
})

test('reports an altered segment or head instead of failing', async () => {
  await newKey('One')
  const [frame, ...others] = await framesOf(host)
  const content = Buffer.from(frame!.content)
  content[20]! ^= 1
  await putFrames(host, [{ ...frame!, content }, ...others])
  const verdict = () => host.call(verifyAuditLog, { query: {} })
  expect(await verdict()).toMatchObject({ valid: false, fault: 'altered' })
  expect(await compare()).toMatchObject([{ fault: 'altered' }])
  const [head] = await stateOf('audit-head')
  const altered = Buffer.from(head!.value)
  altered[altered.length - 1]! ^= 1
  await behind.put(head!.key, altered)
  expect(await verdict()).toMatchObject({ valid: false, fault: 'headAltered' })
})
