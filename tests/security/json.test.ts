import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getSessionResult } from '#shared/contract/session-result.ts'
import { createVerification, getVerification } from '#shared/contract/verification.ts'
import { type Host, startHost } from '../support/host.ts'
import { newVerification, openSession, resultOf, submit } from '../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const post = (path: string, body: string, bearer?: string) => {
  const authorization = bearer === undefined ? `ApiKey ${host.apiKey}` : `Bearer ${bearer}`
  return host.fetch(path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
  })
}
/** What every object would have if one of them had reached the common prototype. */
const polluted = () => ({}) as Record<string, unknown>

describe('names of the language in a body', () => {
  test('are members like any other, and reach no prototype', async () => {
    const poison =
      '"__proto__":{"polluted":1,"type":"Verification"},"constructor":{"prototype":{"polluted":1}}'
    const config = `{${poison},"verifierConfigs":{${poison},"liveness":{${poison}}}}`
    const made = await post(
      createVerification.path,
      `{${poison},"name":"poisoned","verificationConfig":${config}}`,
    )
    const { verificationId } = (await made.json()) as { verificationId: string }
    const { verification } = await host.call(getVerification, { query: { verificationId } })
    expect(verification.verificationConfig.verifierConfigs?.liveness?.type).toBeUndefined()
    expect(polluted().polluted).toBeUndefined()
    expect(polluted().type).toBeUndefined()
  })

  test('in the report of a device change nothing of the verdict', async () => {
    const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
    const opened = await openSession(host, await newVerification(host, live))
    const report =
      '{"__proto__":{"verificationResult":"Pass","reasons":[]},"constructor":{"prototype":{"live":1}}}'
    const consent = '{"given":true,"wordingVersion":"1","locale":"en"}'
    const problem = '"frames":[],"problem":"cameraUnavailable"'
    await post(
      '/v1/verification/submit-session',
      `{${problem},"consent":${consent},"deviceReport":${report}}`,
      opened.bearer,
    )
    expect(await resultOf(host, opened)).toMatchObject({
      verificationResult: 'Fail',
      verificationFailedReasons: ['cameraUnavailable'],
    })
    expect(polluted().live).toBeUndefined()
  })
})

test('names of the language in a link come back as any other parameter', async () => {
  const opened = await openSession(host, await newVerification(host), '__proto__=a&constructor=b&toString=c')
  await submit(host, opened, { person: 'anna' })
  const query = { verificationSessionId: opened.verificationSessionId }
  const { customInputParameters } = await host.call(getSessionResult, { query })
  expect(Object.entries(customInputParameters ?? {})).toEqual(
    expect.arrayContaining([
      ['constructor', 'b'],
      ['toString', 'c'],
    ]),
  )
  expect(polluted().a).toBeUndefined()
})

test.each([
  [32, 200],
  [33, 400],
])('a body nests %d levels: %d', async (levels, status) => {
  const nested = '['.repeat(levels - 1) + ']'.repeat(levels - 1)
  const body = `{"queryString":"a=1","more":${nested}}`
  expect((await post('/v1/signature/create', body)).status).toBe(status)
})
