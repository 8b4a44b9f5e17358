import { expect, test } from 'vitest'
import { createOpenidClient } from '#shared/contract/openid/openid-client.ts'
import { startHost } from '../../../support/host.ts'
import { newVerification, problemOf } from '../../../support/visit.ts'

test('a deployment without the OpenID provider serves none of its addresses, and creates no client', async () => {
  const host = await startHost()
  for (const path of ['/openid/.well-known/openid-configuration', '/openid/auth', '/openid/style.css'])
    expect((await host.fetch(path)).status).toBe(404)
  const verificationId = await newVerification(host)
  const body = { name: 'Shop', redirectUris: ['https://shop.example/callback'], verificationId }
  expect(await problemOf(host.call(createOpenidClient, { body }))).toBe('conflict')
  await host.close()
})
