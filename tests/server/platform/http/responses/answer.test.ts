import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../../../support/host.ts'

let host: Host
let limited: Host
beforeAll(async () => {
  host = await startHost({ site: { corsOrigins: ['https://shop.example'] } })
  limited = await startHost({
    site: { headers: { embedOrigins: [], demo: false, https: true } },
    limits: { requests: 2 },
  })
})
afterAll(async () => {
  await Promise.all([host.close(), limited.close()])
})

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The status line and headers of an answer in the order in which they were sent, and the body. */
function headOf({ origin }: Host, path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  return new Promise<{ head: string[]; text: string }>((done, fail) => {
    const sent = request(origin + path, { method, headers, agent: false }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      const { rawHeaders, statusCode, statusMessage } = answer
      const fields = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]}`] : []))
      done({ head: [`${statusCode} ${statusMessage}`, ...fields.map(masked)], text })
    })
    sent.on('error', fail).end(body)
  })
}

/** Replaces values that differ each time but must be present. */
function masked(field: string): string {
  return field
    .replace(/^(X-Request-Id: )[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, '$1an id')
    .replace(/^(Date: )\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/, '$1a date')
    .replace(/^(RateLimit: .*t=)\d+$/, '$1some')
}

const security = [
  'X-Content-Type-Options: nosniff',
  'Referrer-Policy: no-referrer',
  "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy: same-origin',
  'Cross-Origin-Embedder-Policy: require-corp',
  'Cross-Origin-Resource-Policy: same-origin',
  'Permissions-Policy: camera=(), microphone=(), geolocation=(), display-capture=()',
]
const usual = ['X-Request-Id: an id', ...security, 'Cache-Control: no-store']
const json = 'Content-Type: application/json; charset=utf-8'
const end = ['Date: a date', 'Connection: close']

const asKey = ({ apiKey }: Host) => ({
  authorization: `ApiKey ${apiKey}`,
  'content-type': 'application/json',
})
const signing = (of: Host, body: unknown, more: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...asKey(of), ...more },
  body: JSON.stringify(body),
})

describe('the complete head of an answer', () => {
  test('of an endpoint', async () => {
    const { head, text } = await headOf(host, '/v1/token/get', { headers: asKey(host) })
    expect(head).toEqual(['200 OK', ...usual, json, `Content-Length: ${text.length}`, ...end])
    expect(JSON.parse(text)).toHaveProperty('token')
  })

  test('of one with a text variant', async () => {
    const asked = signing(host, { queryString: 'a=1' })
    const { head, text } = await headOf(host, '/v1/signature/create', asked)
    const vary = 'Vary: Accept'
    expect(head).toEqual(['200 OK', ...usual, vary, json, `Content-Length: ${text.length}`, ...end])
    const inText = signing(host, { queryString: 'a=1' }, { accept: 'text/plain' })
    const { head: other } = await headOf(host, '/v1/signature/create', inText)
    const plain = 'Content-Type: text/plain; charset=utf-8'
    expect(other).toEqual(['200 OK', ...usual, vary, plain, `Content-Length: ${text.length}`, ...end])
  })

  test('counts bytes, not characters', async () => {
    const body = JSON.stringify({ name: 'Zürich 東京' })
    const asked = { method: 'POST', headers: asKey(host), body }
    const { text: made } = await headOf(host, '/v1/verification/create', asked)
    const { verificationId } = JSON.parse(made)
    const path = `/v1/verification/get?verificationId=${verificationId}`
    const { head, text } = await headOf(host, path, { headers: asKey(host) })
    expect(text).toContain('Zürich 東京')
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(text)}`)
  })

  test('that any page may read', async () => {
    const { head, text } = await headOf(host, '/v1/healthz')
    expect(head[0], text).toBe('200 OK')
    expect(new Set(head)).toEqual(
      new Set([
        '200 OK',
        ...usual.filter((field) => !field.startsWith('Cross-Origin-Resource-Policy')),
        'Access-Control-Allow-Origin: *',
        'Cross-Origin-Resource-Policy: cross-origin',
        'Vary: Accept',
        json,
        `Content-Length: ${text.length}`,
        ...end,
      ]),
    )
    expect(head).toHaveLength(16)
  })

  test('to a method without a body', async () => {
    const { head, text } = await headOf(host, '/v1/token/get', { method: 'HEAD', headers: asKey(host) })
    expect(text).toBe('')
    expect(head.slice(0, 10)).toEqual(['200 OK', ...usual])
    expect(head).toContain(json)
  })

  test('of a problem', async () => {
    const { head, text } = await headOf(host, '/v1/token/get')
    const type = 'Content-Type: application/problem+json'
    const length = `Content-Length: ${Buffer.byteLength(text)}`
    const challenge = 'WWW-Authenticate: ApiKey'
    expect(new Set(head)).toEqual(new Set(['401 Unauthorized', ...usual, type, length, challenge, ...end]))
    expect(head).toHaveLength(15)
  })

  test('of an unacceptable body', async () => {
    const { head, text } = await headOf(host, '/v1/signature/create', signing(host, {}))
    const type = 'Content-Type: application/problem+json'
    expect(new Set(head)).toEqual(
      new Set(['400 Bad Request', ...usual, type, `Content-Length: ${text.length}`, ...end]),
    )
  })

  test('to a page of another origin', async () => {
    const origin = 'https://shop.example'
    const path = '/v1/liveness-detection/detect'
    const { head } = await headOf(host, path, { method: 'POST', headers: { origin } })
    expect(head[0]).toBe('401 Unauthorized')
    for (const field of [...usual, `Access-Control-Allow-Origin: ${origin}`, 'Vary: Origin'])
      expect(head.filter((one) => one === field)).toEqual([field])
  })

  test('under a limit, and over https', async () => {
    const { head, text } = await headOf(limited, '/v1/token/get', { headers: asKey(limited) })
    expect(new Set(head)).toEqual(
      new Set([
        '200 OK',
        ...usual,
        'Strict-Transport-Security: max-age=31536000',
        'RateLimit-Policy: "requests";q=2;w=60',
        'RateLimit: "requests";r=1;t=some',
        json,
        `Content-Length: ${text.length}`,
        ...end,
      ]),
    )
    expect(head).toHaveLength(17)
  })
})
