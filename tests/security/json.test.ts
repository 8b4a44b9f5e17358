import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createVerification, getVerification } from '#shared/contract/configuration/verification.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
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
/** Members that every object would have if one of them had made it into the shared prototype. */
const polluted = () => ({}) as Record<string, unknown>

describe('names of the language in a body', () => {
  const poison = '"__proto__":{"polluted":1,"type":"Verification"},"constructor":{"prototype":{"polluted":1}}'

  test('are ordinary members next to a configuration, and reach no prototype', async () => {
    const made = await post(
      createVerification.path,
      `{${poison},"name":"poisoned","verificationConfig":{"verifierConfigs":{"liveness":{}}}}`,
    )
    const { verificationId } = (await made.json()) as { verificationId: string }
    const { verification } = await host.call(getVerification, { query: { verificationId } })
    expect(verification.verificationConfig.verifierConfigs?.liveness?.type).toBeUndefined()
    expect(polluted().polluted).toBeUndefined()
    expect(polluted().type).toBeUndefined()
  })

  test('are ordinary unknown names within one, all reported, and reach no prototype', async () => {
    const config = `{${poison},"verifierConfigs":{${poison},"liveness":{${poison}}}}`
    const made = await post(createVerification.path, `{"name":"poisoned","verificationConfig":${config}}`)
    expect(made.status).toBe(400)
    expect(await made.json()).toMatchObject({ code: 'unknown_name' })
    expect(polluted().polluted).toBeUndefined()
    expect(polluted().type).toBeUndefined()
  })

  test('in the report of a device do not affect the verdict', async () => {
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

test('names of the language in a link come back like any other parameter', async () => {
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

describe('a body with far too many values', () => {
  /** Processor time: a tenth of what it would take to report every fault. */
  const mostMilliseconds = 1500

  async function timed(body: string, path: string, bearer?: string) {
    const began = process.cpuUsage()
    const answer = await post(path, body, bearer)
    const { errors } = (await answer.json()) as { errors: unknown[] }
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1000).toBeLessThan(mostMilliseconds)
    expect([answer.status, errors.length]).toEqual([400, 1])
    return errors[0]
  }

  test.each([
    ['numbers', '0', 2_000_000],
    ['objects', '{}', 2_000_000],
    ['objects that are just not too many', '{}', 99_000],
    ['frames', '{"bytes":"","time":0,"challengeStep":0}', 33_000],
  ])('is refused at once: %s', async (_name, value, count) => {
    const { bearer } = await openSession(host, await newVerification(host))
    const frames = `[${Array(count).fill(value).join(',')}]`
    const body = `{"frames":${frames},"consent":{"given":true,"wordingVersion":"1","locale":"en"}}`
    expect(await timed(body, '/v1/verification/submit-session', bearer)).toMatchObject({
      message: expect.stringMatching(/100000 values|24 frames|Must be|required/),
    })
  })

  test.each([1, '"x"'])('is refused at once: custom parameters of %s', async (value) => {
    const parameters = Array.from({ length: 90_000 }, (_, i) => `"reA${i}":${value}`)
    const body = `{"verifierConfigs":{},"customInputParameters":{${parameters.join(',')}}}`
    await timed(body, '/v1/verification/create-session')
  })
})

test.each([
  [32, 200],
  [33, 400],
])('a body nests %d levels: %d', async (levels, status) => {
  const nested = '['.repeat(levels - 1) + ']'.repeat(levels - 1)
  const body = `{"queryString":"a=1","more":${nested}}`
  expect((await post('/v1/signature/create', body)).status).toBe(status)
})
