import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#shared/endpoint.ts'
import { endpoints } from '../support/contract/endpoints.ts'
import { pairDevice, tokenOf } from '../support/kiosk-device.ts'
import { newVerification, openSession } from '../support/visit.ts'
import { type Answer, ask, expectProblem } from './ask.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
let sessionToken: string
let kioskToken: string
beforeAll(async () => {
  setting = await startSetting()
  const { host } = setting
  const verificationId = await newVerification(host)
  ;({ sessionToken } = await openSession(host, verificationId))
  kioskToken = await tokenOf(host, await pairDevice(host, verificationId))
})
afterAll(() => setting.close())

function authorizationFor({ auth }: Endpoint): Record<string, string> {
  if (auth === 'none') return {}
  const own = { session: `Bearer ${sessionToken}`, kiosk: `Bearer ${kioskToken}` }
  return { authorization: auth === 'session' || auth === 'kiosk' ? own[auth] : setting.key }
}

const json = { 'content-type': 'application/json' }

/** Sends a body as it is, even if the endpoint does not accept it. */
async function send(
  endpoint: Endpoint,
  body: BodyInit | undefined,
  headers: Record<string, string> = json,
): Promise<Answer> {
  const answer = await setting.host.fetch(endpoint.path, {
    method: endpoint.method,
    headers: { ...authorizationFor(endpoint), ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Announces a body that is `bytes` bytes long but does not send any of it. */
function announce(endpoint: Endpoint, bytes: number): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = { ...authorizationFor(endpoint), ...json, 'content-length': String(bytes) }
    const sent = request(
      setting.host.origin + endpoint.path,
      { method: endpoint.method, headers },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => {
          sent.destroy()
          done({
            status: answer.statusCode!,
            headers: new Headers(answer.headers as Record<string, string>),
            text,
          })
        })
      },
    )
    sent.on('error', fail)
    sent.flushHeaders()
  })
}

const withBody = [...endpoints].filter(([, { body }]) => body !== undefined)
const withQuery = [...endpoints].filter(([, { query }]) => query !== undefined)

describe.each(withBody)('%s', (name, endpoint) => {
  test.for([
    ['no body', undefined],
    ['an empty body', ''],
    ['a body cut short', '{"a":'],
    ['two bodies', '{}{}'],
    ['null', 'null'],
    ['a string', '"a"'],
    ['a number', '1'],
    ['an array', '[]'],
    ['a body 33 levels deep', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['NaN', '{"a":NaN}'],
    ['a trailing comma', '{"a":1,}'],
  ] as const)('answers 400 to %s', async ([what, body], { task }) => {
    task.meta.tried = { endpoint: name, rule: what }
    const { errors } = expectProblem(await send(endpoint, body), 400)
    expect(errors![0]!.pointer).toMatch(/^#/)
  })

  test.for([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['an image', { 'content-type': 'image/jpeg' }],
    ['gzip', { ...json, 'content-encoding': 'gzip' }],
    ['latin1', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['UTF-16', { 'content-type': 'application/json; charset="UTF-16LE"' }],
  ] as const)('answers 415 to %s', async ([what, headers], { task }) => {
    task.meta.tried = { endpoint: name, rule: what }
    expectProblem(await send(endpoint, '{}', headers), 415)
  })

  test(`answers ${endpoint.takesMultipart ? '400' : '415'} to multipart without a part`, async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'multipart' }
    const answer = await send(endpoint, '{}', { 'content-type': 'multipart/form-data; boundary=x' })
    expectProblem(answer, endpoint.takesMultipart ? 400 : 415)
  })

  test(`answers ${endpoint.takesForm ? 'as to JSON' : '415'} to a form`, async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'a form' }
    const answer = await send(endpoint, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })
    expectProblem(answer, endpoint.takesForm ? 400 : 415)
  })

  test('accepts a charset in the media type', async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'charset' }
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'us-ascii']) {
      const answer = await send(endpoint, '{}', { 'content-type': `application/json; charset=${charset}` })
      expect(answer.status).not.toBe(415)
    }
  })

  test.for([
    ['latin1', Buffer.from('{"name":"Zo\xeb"}', 'latin1')],
    ['half a character', Buffer.from('{"a":"\xe2\x82"}', 'latin1')],
    ['a surrogate', Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ] as const)('answers 400 to %s', async ([what, bytes], { task }) => {
    task.meta.tried = { endpoint: name, rule: what }
    const { code, errors } = expectProblem(await send(endpoint, bytes), 400)
    expect([code, errors!.map(({ pointer }) => pointer)]).toEqual(['not_utf8', ['#']])
  })

  test('answers 413 beyond its limit, before the body arrives', async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'body limit' }
    const answer = await announce(endpoint, endpoint.bodyLimitInBytes + 1)
    expectProblem(answer, 413)
  })
})

describe.each(withQuery)('%s', (name, endpoint) => {
  const names = Object.keys((endpoint.query as unknown as { entries: object }).entries)

  test.for(names)('answers 400 where %s is given twice', async (parameter, { task }) => {
    task.meta.tried = { endpoint: name, rule: `${parameter} twice` }
    const path = `${endpoint.path}?${parameter}=a&${parameter}=b`
    const problem = expectProblem(await send({ ...endpoint, path }, endpoint.body && '{}'), 400)
    expect(problem.errors!.map(({ pointer }) => pointer)).toContain(`#/query/${parameter}`)
  })
})

describe.each(withQuery)('%s', (name, endpoint) => {
  const [parameter] = Object.keys((endpoint.query as unknown as { entries: object }).entries)

  test.for([
    [`${parameter}=%ff`, `#/query/${parameter}`],
    [`a=1&${parameter}=%e2%82&b=2`, `#/query/${parameter}`],
    [`${parameter}=%zz`, `#/query/${parameter}`],
    ['%ff=1', '#/query'],
  ])('answers 400 to the query %s', async ([query, pointer], { task }) => {
    task.meta.tried = { endpoint: name, rule: 'a query that is not UTF-8' }
    const path = `${endpoint.path}?${query}`
    const { code, errors } = expectProblem(await send({ ...endpoint, path }, endpoint.body && '{}'), 400)
    expect([code, errors!.map((error) => error.pointer)]).toEqual(['not_utf8', [pointer]])
  })
})

describe.each([...endpoints])('%s', (name, endpoint) => {
  const other = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter((method) => method !== endpoint.method)

  test.for(other)('answers 405 to %s', async (method, { task }) => {
    task.meta.tried = { endpoint: name, rule: method }
    const answer = await ask(setting, { ...endpoint, method } as Endpoint, authorizationFor(endpoint))
    expectProblem(answer, 405)
    expect(answer.headers.get('allow')!.split(', ')).toContain(endpoint.method)
  })

  test('is served at its exact path only', async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'path' }
    for (const path of [
      `${endpoint.path}/`,
      endpoint.path.toUpperCase(),
      `/${endpoint.path}`,
      `${endpoint.path}x`,
    ]) {
      expectProblem(await send({ ...endpoint, path }, endpoint.body && '{}'), 404)
    }
  })
})
