import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuditLog } from '#server/features/audit/audit-log.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import { createAttempts } from '#server/features/sessions/access/attempts.ts'
import { createTokenKeys } from '#server/features/tokens/token-keys.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { some } from '../../e2e/support/length.ts'
import { type StoreServer, storeServers } from '../support/programs/store-server.ts'
import { problemOf } from '../support/visit.ts'

const processes = 12
const keyRing = createKeyRing(Buffer.alloc(32, 5), 'EU')

describe.each(some(storeServers))('several processes that change one record at once on %s', (_name, kind) => {
  if (kind.isMissing) return test.skip(`needs ${kind.name}`, () => undefined)
  let server: StoreServer
  let stores: Store[]
  beforeAll(async () => {
    server = await kind.start()
    stores = await Promise.all(Array.from({ length: processes }, server.open))
  })
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await server.stop()
  })

  test('lose no entry of an audit log, and the chain is complete', async () => {
    const each = 30
    const folder = await mkdtemp(join(tmpdir(), 'selfsame-audit-'))
    const logs = stores.map((store) =>
      createAuditLog({ store, keyRing, segments: createFolderSegments(folder, Date.now), now: Date.now }),
    )
    const actor = { kind: 'server', keyId: null, tokenId: null } as const
    const event = { actor, resources: {}, outcome: 'succeeded' }
    await stores[0]!.commit(logs[0]!.begin('account', event), [])
    // Sequential within each process, so that each one runs into the contention repeatedly.
    const append = async (log: (typeof logs)[number], process: number) => {
      for (let i = 0; i < each; i++) {
        await log.append('account', { ...event, operation: `operation ${process}.${i}` })
      }
    }
    // All of them move waiting entries, both in the meantime and at the end, although a single one would be enough.
    const moveAll = () => Promise.all(logs.map((log) => log.move('due')))
    await Promise.all([...logs.map(append), moveAll()])
    await moveAll()
    const { valid, checked } = await logs[1]!.verify('account')
    expect({ valid, checked }).toEqual({ valid: true, checked: 1 + processes * each })
    const entries = await logs[2]!.page('account', 1 + processes * each, undefined)
    expect(new Set(entries.map(({ operation }) => operation)).size).toBe(1 + processes * each)
    await rm(folder, { recursive: true })
  })

  test('count every failed session', async () => {
    const attempts = stores.map((store) => createAttempts(store, processes, Date.now))
    await attempts[0]!.check(['a link'], null)
    await Promise.all(attempts.slice(1).map((one) => one.noteFailure(['a link'], null)))
    expect(await problemOf(attempts[0]!.check(['a link'], null))).toBe('no problem')
    await attempts[0]!.noteFailure(['a link'], null)
    expect(await problemOf(attempts[1]!.check(['a link'], null))).toBe('too_many_requests')
  })

  test('know a token key that another process has just created', async () => {
    const keys = stores.map((store) => createTokenKeys(store, keyRing, Date.now))
    const made = await Promise.all(keys.map((one) => one.current()))
    for (const { kid } of made) {
      for (const one of keys) expect(await one.find(kid)).toBeDefined()
    }
    const rotated = await keys[0]!.rotate(false)
    for (const one of keys) expect(await one.find(rotated)).toBeDefined()
    expect(await keys[1]!.find('nobody made this')).toBeUndefined()
  })
})
