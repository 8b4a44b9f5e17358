import { expect, test, vi } from 'vitest'
import { startProvider } from '../../../../support/openid/site.ts'

const loaded = vi.hoisted(() => ({ times: 0, failures: 1 }))
vi.mock('oidc-provider', async (original) => {
  loaded.times++
  if (loaded.times <= loaded.failures) throw new Error('The file cannot be read.')
  return original()
})

test('a failed import of the library is retried at the next call, and then kept', async () => {
  const host = await startProvider()
  const discovered = () => host.fetch('/openid/.well-known/openid-configuration')
  expect((await discovered()).status).toBe(500)
  expect(loaded.times).toBe(1)
  const second = await discovered()
  expect([second.status, loaded.times]).toEqual([200, 2])
  expect(await second.json()).toMatchObject({ issuer: `${host.origin}/openid` })
  expect((await discovered()).status).toBe(200)
  expect((await host.fetch('/openid/test/.well-known/openid-configuration')).status).toBe(200)
  expect(loaded.times).toBe(2)
  await host.close()
})
