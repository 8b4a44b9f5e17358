import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AlreadyConsumed, createEntityStore } from '#server/features/openid/adapter.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'

/** Requests are stored along with the names that they mention. These do not mention any. */
const nobodyNamed = { naming: async () => [] }

interface Opened {
  readonly store: Store
  readonly dispose: () => Promise<unknown>
}

/** The behaviour that the OpenID provider requires of every store for codes and tokens. */
export function openidEntitiesConformance(name: string, open: (now: Clock) => Promise<Opened>): void {
  describe(`OpenID entities on ${name}`, () => {
    let opened: Opened
    let ahead = 0
    const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
    const seconds = () => Math.floor(Date.now() / 1000)
    const entities = (model: string, environment: 'live' | 'test' = 'live') =>
      createEntityStore(opened.store, keyRing, environment, nobodyNamed)(model)
    beforeEach(async () => {
      ahead = 0
      opened = await open(() => Date.now() + ahead)
    })
    afterEach(() => opened.dispose())

    test('keeps a value until it expires', async () => {
      const codes = entities('AuthorizationCode')
      await codes.upsert('a', { exp: seconds() + 60, accountId: 'x' }, 60)
      expect(await codes.find('a')).toMatchObject({ accountId: 'x' })
      ahead = 61_000
      expect(await codes.find('a')).toBeUndefined()
    })

    test('consumes a value once, even with concurrent attempts', async () => {
      const codes = entities('AuthorizationCode')
      await codes.upsert('a', { exp: seconds() + 60 }, 60)
      const tries = await Promise.allSettled(Array.from({ length: 20 }, () => codes.consume('a')))
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const lost = tries.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
      expect(lost.every((reason) => reason instanceof AlreadyConsumed)).toBe(true)
      expect((await codes.find('a'))!).toMatchObject({ consumed: expect.any(Number) })
    })

    test('revokes all models of a grant at once, and no other grant', async () => {
      const [codes, tokens] = [entities('AuthorizationCode'), entities('AccessToken')]
      await codes.upsert('a', { grantId: 'one' }, 60)
      await tokens.upsert('b', { grantId: 'one' }, 60)
      await tokens.upsert('c', { grantId: 'two' }, 60)
      await codes.revokeByGrantId('one')
      expect(await codes.find('a')).toBeUndefined()
      expect(await tokens.find('b')).toBeUndefined()
      expect(await tokens.find('c')).toBeDefined()
    })

    test('separates models and environments', async () => {
      await entities('AccessToken').upsert('a', { accountId: 'x' }, 60)
      expect(await entities('AuthorizationCode').find('a')).toBeUndefined()
      expect(await entities('AccessToken', 'test').find('a')).toBeUndefined()
    })

    test('exposes no token and no content to a reader of the store', async () => {
      const tokens = entities('AccessToken')
      await tokens.upsert(
        'token-in-the-clear',
        { jti: 'token-in-the-clear', accountId: 'somebody', grantId: 'g' },
        60,
      )
      let bytes = ''
      for await (const { key, value } of opened.store.list(''))
        bytes += key + Buffer.from(value).toString('latin1')
      expect(bytes).toContain('openid-entity')
      expect(bytes).not.toContain('token-in-the-clear')
      expect(bytes).not.toContain('somebody')
    })
  })
}
