import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import { configure, newClient, newRequest, startProvider } from '../../../support/openid/site.ts'

let host: Host
beforeAll(async () => {
  host = await startProvider()
})
afterAll(() => host.close())

/** The answer that a browser gets for these parameters. */
async function come(parameters: Record<string, string>) {
  const config = await configure(await newClient(host))
  const { asked } = await newRequest(parameters)
  const { href } = client.buildAuthorizationUrl(config, asked)
  return { config, asked, ...(await openBrowser().follow(href, host.origin)) }
}

describe('claims', () => {
  test.each([
    ['values that are a text', { values: 'urn:selfsame:assurance:low' }],
    ['values that are no texts', { values: [1] }],
    ['a value that has no text', { value: { toString: 1, valueOf: 1 } }],
    ['a text', 'urn:selfsame:assurance:low'],
  ])('with an acr of %s are an invalid request', async (_name, acr) => {
    const claims = JSON.stringify({ id_token: { acr } })
    const { address, config, asked } = await come({ claims })
    expect(new URL(address).searchParams.get('error')).toBe('invalid_request')
    const refused = client.buildAuthorizationUrlWithPAR(config, asked)
    await expect(refused).rejects.toMatchObject({ error: 'invalid_request' })
    expect(host.errors).toEqual([])
  })

  test.each([null, { essential: true, values: ['urn:selfsame:assurance:low'] }])(
    'continue with an acr of %j',
    async (acr) => {
      const { address } = await come({ claims: JSON.stringify({ id_token: { acr } }) })
      expect(address).toContain('/verification/session/')
    },
  )
})

test('a key that cannot be stored is an immediate failure, and does not end a valid one', async () => {
  const memory = createMemoryStore(Date.now)
  let isFailing = true
  const failing = await startProvider({
    store: {
      ...memory,
      async put(key, ...rest) {
        if (isFailing && key.startsWith('openid-key/')) throw new Error('full')
        return memory.put(key, ...rest)
      },
    },
  })
  const ask = (path: string) => failing.fetch(path, { signal: AbortSignal.timeout(30_000) })
  expect((await ask('/openid/jwks')).status).toBe(500)
  expect((await ask('/openid/auth')).status).toBe(500)
  isFailing = false
  const published = await (await ask('/openid/jwks')).text()
  isFailing = true
  failing.pass(90.5 * 24 * 3600_000)
  expect(await (await ask('/openid/jwks')).text()).toBe(published)
  await failing.close()
})
