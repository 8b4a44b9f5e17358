import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getRequests } from '#shared/contract/account/request-log.ts'
import { createVerification, getVerification } from '#shared/contract/configuration/verification.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { signedInAs } from '../../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../../support/host.ts'

const id = '6d1f0a522f0c4a5e9d590c1a3b7e8f10'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const list = (query: object = {}, apiKey?: string) =>
  host.call(getRequests, { query: query as never, ...(apiKey && { apiKey }) })
const create = () =>
  host.fetch('/v1/verification/create?trace=secret', {
    method: 'POST',
    headers: {
      Authorization: `ApiKey ${host.apiKey}`,
      'X-Request-Id': id,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ name: 'anna', verificationConfig: {} }),
  })

describe('GET /v1/account/get-requests', () => {
  test('finds a call by the id of its answer, and reveals nothing that was sent', async () => {
    expect((await create()).status).toBe(200)
    const [key] = await host.services.accounts.keys.list(host.accountId)
    const found = await list({ requestId: id })
    expect(found).toEqual({
      requests: [
        {
          time: expect.any(String),
          requestId: id,
          method: 'POST',
          path: createVerification.path,
          status: 200,
          code: null,
          durationInMilliseconds: expect.any(Number),
          aborted: false,
          keyId: key!.keyId,
          operatorId: null,
          ignored: 'trace',
        },
      ],
      cursor: null,
    })
    expect(JSON.stringify(await list())).not.toMatch(/anna|secret/)
  })

  test('includes the code of refused calls, and filters by it and by the key', async () => {
    await expect(host.call(getVerification, { query: { verificationId: 'x' } })).rejects.toThrow()
    const { requests } = await list({ outcome: 'failed' })
    expect(requests[0]).toMatchObject({ path: getVerification.path, status: 404, code: 'not_found' })
    expect(requests.every(({ status }) => status >= 400)).toBe(true)
    expect((await list({ outcome: 'succeeded' })).requests.every(({ status }) => status < 400)).toBe(true)
    expect((await list({ keyId: 'x' })).requests).toEqual([])
    expect((await list({ keyId: requests[0]!.keyId! })).requests.length).toBeGreaterThan(0)
  })

  test('pages to its end, nothing twice and nothing missing', async () => {
    for (let i = 0; i < 5; i++) await create()
    const all = (await list({ limit: 100, requestId: id })).requests
    const seen: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list({ limit: 2, requestId: id, ...(cursor !== '' && { cursor }) })
      seen.push(...page.requests)
      cursor = page.cursor
    }
    expect(seen).toEqual(all)
    expect(all).toHaveLength(6)
  })

  test('has a person’s changes in the console by the person’s id, and not their reads', async () => {
    const ada = await signedInAs(host, 'developer', 'Ada')
    await ada.ask(consoleCatalogue.getPeople)
    await ada.ask(createSession, { verifierConfigs: { liveness: { type: 'Verification' } } })
    const { requests } = await list({ limit: 100 })
    const hers = requests.filter(({ operatorId }) => operatorId !== null)
    expect(hers).toMatchObject([
      { path: `/console/api${createSession.path}`, operatorId: ada.me().operatorId, keyId: null },
    ])
    expect((await ada.ask(getRequests, {})).status).toBe(200)
  })

  test('shows nothing of another account, nor of the test data', async () => {
    const { apiKey } = await host.services.accounts.create('Other')
    expect((await list({}, apiKey)).requests).toEqual([])
  })

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['cursor', 'x'],
    ['cursor', '1-short'],
    ['outcome', 'lost'],
  ])('refuses %s=%s', async (name, value) => {
    await expect(list({ [name]: value })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: `#/query/${name}` }],
    })
  })

  test('refuses an unknown filter', async () => {
    await expect(list({ path: '/v1' })).rejects.toMatchObject({
      code: 'unknown_name',
      errors: [{ pointer: '#/query/path' }],
    })
  })
})
