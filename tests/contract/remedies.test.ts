import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { getVerifyToken } from '#shared/contract/recognition/verify.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { ask, expectProblem } from './ask.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting.close())

describe('a 401', () => {
  const keys = '`Authorization: ApiKey …`'
  const detailOf = async (endpoint: Parameters<typeof ask>[1], headers: Record<string, string>) => {
    const answer = await ask(setting, endpoint, { headers })
    return [expectProblem(answer, 401).detail, answer.headers.get('www-authenticate')]
  }
  const jwt = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'

  test.each([
    [{}, 'nothing'],
    [{ authorization: 'Bearer my-api-key' }, `a Bearer that is not a token; API keys are sent as ${keys}`],
    [{ 'x-api-key': 'my-api-key' }, `an x-api-key header; API keys are sent as ${keys}`],
    [
      { authorization: `ApiKey ${jwt}` },
      'an ApiKey that is a token; tokens are sent as `Authorization: Bearer …`',
    ],
    [{ authorization: 'ApiKey unknown' }, 'an API key'],
    [{ authorization: `Bearer ${jwt}` }, 'a Bearer token'],
    [{ authorization: 'Basic bXkta2V5Og==' }, 'an Authorization header of another scheme'],
    [{ authorization: 'my-api-key' }, 'an Authorization header without a scheme or without a credential'],
    [{ authorization: 'ApiKey' }, 'an Authorization header without a scheme or without a credential'],
    [
      { authorization: 'ApiKey a b' },
      'an Authorization header with white space in its credential, or longer than 4,096 characters',
    ],
  ])('names the form of what arrived: %j', async (headers, form) => {
    expect(await detailOf(detectFaces, headers as Record<string, string>)).toEqual([
      `A valid credential is required. This endpoint accepts ${keys} or \`Authorization: Bearer …\`. It received ${form}.`,
      'Bearer, ApiKey',
    ])
  })

  test.each([
    [getToken, keys, 'ApiKey'],
    [getUtcNow, `${keys} or \`Authorization: Bearer …\``, 'Bearer, ApiKey'],
    [getVerifyToken, `${keys} or \`X-API-Key: …\``, 'ApiKey'],
    [getSession, '`Authorization: Bearer …` with the token of a session', 'Bearer'],
  ])('names the schemes that the endpoint accepts', async (endpoint, schemes, challenge) => {
    const [detail, header] = await detailOf(endpoint, {})
    expect(detail).toContain(`accepts ${schemes}. It received nothing.`)
    expect(header).toBe(challenge)
  })

  test('says the same of an unknown key and of a revoked one, and repeats neither', async () => {
    const { accounts } = setting.host.services
    const { key, apiKey } = await accounts.keys.create(setting.host.accountId, 'gone', ['analyse'])
    await accounts.keys.revoke(setting.host.accountId, key.keyId)
    const [revoked] = await detailOf(detectFaces, { authorization: `ApiKey ${apiKey}` })
    const [unknown] = await detailOf(detectFaces, { authorization: `ApiKey ${apiKey.toLowerCase()}x` })
    expect(revoked).toBe(unknown)
    expect(revoked).not.toContain(apiKey.slice(0, 8))
  })
})

describe('an address that does not exist', () => {
  const at = async (path: string, { method = 'GET', accept = '*/*' } = {}) => {
    const answer = await setting.host.fetch(path, { method, headers: { accept } })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  test.each([
    ['/v1/face/serch', 'POST', 'POST /v1/face/search'],
    ['/face/search', 'POST', 'POST /v1/face/search'],
    ['/v1/collections/get', 'GET', 'GET /v1/collection/get'],
    ['/v1/detect-faces', 'POST', 'POST /v1/face-verification/detect-faces'],
    ['/api/v1/verify/verify-duplicates', 'GET', 'POST /api/v1/verify/verify-duplicate'],
    ['/Swagger', 'GET', 'GET /swagger'],
  ])('names the nearest one that is served: %s', async (path, method, near) => {
    expect(expectProblem(await at(path, { method }), 404).detail).toBe(
      `This address does not exist. Did you mean ${near}?`,
    )
  })

  test.each(['/wp-login.php', '/v1', `/v1/${'a'.repeat(200)}`])(
    'suggests none if none is near: %s',
    async (path) => {
      expect(expectProblem(await at(path), 404).detail).toBe('This address does not exist.')
    },
  )

  test('suggests nothing that another role serves', async () => {
    const on = await setting.hostWith('liveness', { roles: ['liveness'] })
    const answer = await on.fetch('/v1/face/serch', { method: 'POST' })
    expect(await answer.json()).toMatchObject({ status: 404, detail: 'This address does not exist.' })
  })

  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  test.each([
    ['GET', browser, true],
    ['HEAD', browser, true],
    ['GET', 'text/html', true],
    ['GET', '*/*', false],
    ['GET', 'application/json, text/html', false],
    ['GET', 'text/html;q=0.5, application/problem+json', false],
    ['POST', browser, false],
  ])('is a page for people only: %s, Accept: %s', async (method, accept, isPage) => {
    const { status, headers, text } = await at('/nowhere-<b>', { method, accept })
    expect([status, headers.get('content-type')]).toEqual([
      404,
      isPage ? 'text/html; charset=utf-8' : 'application/problem+json',
    ])
    expect(text).not.toContain('nowhere')
    if (isPage && method === 'GET') expect(text).toContain('<h1>This page does not exist</h1>')
  })

  test('uses the language of the browser, and has its style', async () => {
    const headers = { accept: browser, 'accept-language': 'gsw, de-AT;q=0.8, en;q=0.5' }
    const page = await setting.host.fetch('/gibt-es-nicht', { headers })
    expect(await page.text()).toContain('<html lang="de" dir="ltr">')
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
    const style = await setting.host.fetch('/notice.css')
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  })
})
