import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createByteBudget } from '#server/platform/running/byte-budget.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { initRedirectSession, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { type Endpoint, smallBodyInBytes } from '#shared/endpoint.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, openSession } from '../../../../support/visit.ts'

const open: Host[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})

async function start(mostBytes = 128 * 1024 * 1024, leastRate = { bytes: 1000, inMilliseconds: 60_000 }) {
  const budget = createByteBudget(mostBytes)
  const host = await startHost({ site: { budget, bodies: { leastRate } } })
  open.push(host)
  return { host, budget }
}

interface Sending {
  readonly sent: ClientRequest
  readonly answer: Promise<{ status: number; code: string; headers: IncomingMessage['headers'] }>
}

/** Begins a request and lets the test send its body. Announces `length` if it is given. */
function begin(
  host: Host,
  path: string,
  { length, authorization }: { length?: number; authorization?: string },
) {
  const headers = {
    'content-type': 'application/json',
    ...(length !== undefined && { 'content-length': String(length) }),
    ...(authorization !== undefined && { authorization }),
  }
  const sent = request(host.origin + path, { method: 'POST', headers })
  const answer = new Promise((done, fail) => {
    sent.on('error', fail)
    sent.on('response', async (response: IncomingMessage) => {
      let text = ''
      for await (const chunk of response) text += chunk
      done({ status: response.statusCode!, code: JSON.parse(text).code, headers: response.headers })
    })
  }) as Sending['answer']
  answer.catch(() => undefined)
  sent.flushHeaders()
  return { sent, answer }
}

const asKey = (host: Host) => `ApiKey ${host.apiKey}`
const endpoints = Object.values(catalogue).flatMap((role) => Object.entries<Endpoint>(role))

describe('a caller without a credential', () => {
  test.each(endpoints.filter(([, { auth, body }]) => auth === 'none' && body !== undefined))(
    'sends at most 64 kB: %s',
    async (_name, endpoint) => {
      expect(endpoint.bodyLimitInBytes).toBe(65_536)
      const { host } = await start()
      const { sent, answer } = begin(host, endpoint.path, { length: smallBodyInBytes + 1 })
      expect(await answer).toMatchObject({ status: 413, code: 'body_too_large' })
      sent.destroy()
    },
  )

  test('is cut off beyond 64 kB even if no length is announced', async () => {
    const { host, budget } = await start()
    const { sent, answer } = begin(host, initRedirectSession.path, {})
    sent.write('x'.repeat(smallBodyInBytes + 1))
    expect(await answer).toMatchObject({ status: 413, code: 'body_too_large' })
    sent.destroy()
    await vi.waitFor(() => expect(budget.underWay()).toBe(0))
  })

  test('may send 64 kB to the last byte', async () => {
    const { host } = await start()
    const { sent, answer } = begin(host, initRedirectSession.path, { length: smallBodyInBytes })
    sent.end('x'.repeat(smallBodyInBytes))
    expect((await answer).status).toBe(400)
  })
})

describe('the session of a token', () => {
  test.each([
    ['submit-step', submitStep.path],
    ['submit-session', submitSession.path],
  ])('is looked up before the body is read: %s', async (_name, path) => {
    const { host } = await start()
    const opened = await openSession(host, await newVerification(host))
    const erased = host.services.sessionStore.erase(host.accountId, opened.verificationSessionId)
    await host.store.commit(erased, [])
    const { sent, answer } = begin(host, path, { length: 1000, authorization: `Bearer ${opened.bearer}` })
    expect(await answer).toMatchObject({ status: 404, code: 'not_found' })
    sent.destroy()
  })
})

describe('bytes in progress', () => {
  test('are those received, until the answer is sent', async () => {
    const { host, budget } = await start()
    const { sent, answer } = begin(host, createSignature.path, {
      length: 500_000,
      authorization: asKey(host),
    })
    sent.write('x'.repeat(100_000))
    await vi.waitFor(() => expect(budget.underWay()).toBe(100_000))
    sent.end('x'.repeat(400_000))
    await answer
    await vi.waitFor(() => expect(budget.underWay()).toBe(0))
  })

  test('beyond the budget are a 503 with Retry-After, before any of a body is sent', async () => {
    const { host } = await start(1000)
    const { sent, answer } = begin(host, createSignature.path, { length: 501, authorization: asKey(host) })
    const { status, code, headers } = await answer
    expect([status, code, headers['retry-after']]).toEqual([503, 'overloaded', '2'])
    sent.destroy()
  })

  test('beyond it are also a 503 in the middle of a body', async () => {
    const { host, budget } = await start(1000)
    const { sent, answer } = begin(host, createSignature.path, { authorization: asKey(host) })
    sent.write('x'.repeat(400))
    await vi.waitFor(() => expect(budget.underWay()).toBe(400))
    sent.write('x'.repeat(200))
    expect((await answer).status).toBe(503)
    await vi.waitFor(() => expect(budget.underWay()).toBe(0))
    sent.destroy()
  })

  test('are released if a client leaves in the middle of its body', async () => {
    const { host, budget } = await start()
    const { sent } = begin(host, createSignature.path, { length: 1000, authorization: asKey(host) })
    sent.write('x'.repeat(400))
    await vi.waitFor(() => expect(budget.underWay()).toBe(400))
    sent.on('error', () => undefined).destroy()
    await vi.waitFor(() => expect(budget.underWay()).toBe(0))
  })
})

describe('a slow body', () => {
  const leastRate = { bytes: 100, inMilliseconds: 100 }

  test('is a 408, and its connection is closed', async () => {
    const { host, budget } = await start(undefined, leastRate)
    const { sent, answer } = begin(host, createSignature.path, { length: 1000, authorization: asKey(host) })
    sent.write('x'.repeat(400))
    const { status, code, headers } = await answer
    expect([status, code, headers.connection]).toEqual([408, 'request_timeout', 'close'])
    await vi.waitFor(() => expect(budget.underWay()).toBe(0))
  })

  test('is read to its end as long as it arrives at the minimum rate', async () => {
    const { host } = await start(undefined, leastRate)
    const text = JSON.stringify({ queryString: 'x'.repeat(1500) })
    const { sent, answer } = begin(host, createSignature.path, {
      length: text.length,
      authorization: asKey(host),
    })
    for (let at = 0; at < text.length; at += 250) {
      sent.write(text.slice(at, at + 250))
      await new Promise((over) => setTimeout(over, 50))
    }
    sent.end()
    expect((await answer).status).toBe(200)
  })
})

describe('a body that arrives with its head', () => {
  /** Sends everything at once over one connection. Returns the statuses in order. */
  async function sendAtOnce(host: Host, bodies: readonly string[], more = ''): Promise<number[]> {
    const { port } = new URL(host.origin)
    const socket = connect(Number(port), '127.0.0.1')
    const message = (body: string) =>
      [
        `POST ${createSignature.path} HTTP/1.1`,
        `Host: a\r\nAuthorization: ${asKey(host)}\r\nContent-Type: application/json${more}`,
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n')
    socket.write(bodies.map(message).join(''))
    let text = ''
    for await (const part of socket.setEncoding('latin1')) {
      text += part
      if (text.match(/HTTP\/1\.1 [^1]/g)?.length === bodies.length && text.endsWith('}')) break
    }
    socket.destroy()
    return Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status))
  }
  const good = JSON.stringify({ queryString: 'a=1' })

  test('is read at once, and leaves its connection to the next', async () => {
    const { host, budget } = await start()
    const large = JSON.stringify({ queryString: 'x'.repeat(200_000) })
    expect(await sendAtOnce(host, [good, '{', good, large, good, good])).toEqual([
      200, 400, 200, 400, 200, 200,
    ])
    await vi.waitFor(() => expect(budget.underWay()).toBe(0))
  })

  test('may be as large as the endpoint accepts, if there is room', async () => {
    const { host, budget } = await start(good.length)
    // An account may use half of the room.
    expect(await sendAtOnce(host, [good])).toEqual([503])
    expect([budget.refused(), budget.underWay()]).toEqual([1, 0])
    const { host: roomy } = await start()
    const bodyLimit = createSignature.bodyLimitInBytes
    expect(bodyLimit).toBeGreaterThan(good.length)
    const padded = good.padEnd(bodyLimit + 1)
    expect((await sendAtOnce(roomy, [padded]))[0]).toBe(413)
    expect((await sendAtOnce(roomy, [good.padEnd(bodyLimit)]))[0]).toBe(200)
  })

  test('of a client that waits for 100-continue is requested', async () => {
    const { host } = await start()
    expect(await sendAtOnce(host, [good], '\r\nExpect: 100-continue')).toEqual([100, 200])
  })
})
