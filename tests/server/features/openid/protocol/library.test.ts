import { expect, test, vi } from 'vitest'
import { startHost } from '../../../../support/host.ts'
import { startProvider } from '../../../../support/openid/site.ts'
import { newVerification, visit } from '../../../../support/visit.ts'

const loaded = vi.hoisted(() => ({ times: 0 }))
vi.mock('oidc-provider', async (original) => {
  loaded.times++
  return original()
})

const discovery = '/openid/.well-known/openid-configuration'

test('the provider is loaded at its first use, and never if it is disabled', async () => {
  const off = await startHost()
  await visit(off, await newVerification(off), { person: 'a', age: 34 }, '')
  for (const path of [discovery, '/openid/auth', '/openid/test/jwks', '/console', '/demo'])
    await off.fetch(path)
  await off.close()
  expect(loaded.times).toBe(0)

  const on = await startProvider()
  expect(loaded.times).toBe(0)
  expect((await on.fetch(discovery)).status).toBe(200)
  expect(loaded.times).toBe(1)
  await on.close()
})
