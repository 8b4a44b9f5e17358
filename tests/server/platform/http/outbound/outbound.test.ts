import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import { startDeadline } from '#server/platform/http/requests/deadline.ts'
import { keepCollectingGarbage } from '../../../../support/collect-garbage.ts'

/** A server that never answers in time. `left` counts the connections that were aborted. */
let server: Server
let address: string
let left: number
let listener: RequestListener
let garbage: { stop(): void }

const trickle: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'image/png' })
  const timer = setInterval(() => response.write('0123456789'), 20)
  response.once('close', () => clearInterval(timer))
}
const never: RequestListener = () => undefined

beforeEach(async () => {
  left = 0
  server = createServer((request, response) => {
    response.once('close', () => left++)
    listener(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  // Several times within a request's time limit. Collecting all the time would leave a slow machine no time for
  // anything else.
  garbage = keepCollectingGarbage(50)
})
afterEach(() => {
  garbage.stop()
  server.closeAllConnections()
  server.close()
})

const outbound = createOutbound({ allowLoopback: true, alsoGetFrom: () => true })
const get = (timeoutInMilliseconds: number) => {
  const { signal } = new AbortController()
  return outbound.get({ address, signal, mostRedirects: 3, mostBytes: 1e6, timeoutInMilliseconds })
}
const post = (timeoutInMilliseconds: number) =>
  outbound.post({ address, headers: {}, body: '{}', timeoutInMilliseconds })

/** The outcomes of several requests. Asserts that none of them took long. */
async function outcomesWithin(milliseconds: number, requests: Promise<unknown>[]): Promise<string[]> {
  const late = new Promise<'late'>((over) => setTimeout(over, milliseconds, 'late'))
  const outcomes = requests.map((request) =>
    request.then(
      () => 'answered',
      (error: Error) => error.name,
    ),
  )
  return Promise.all(outcomes.map((outcome) => Promise.race([outcome, late])))
}

describe('an outbound request', () => {
  test.each([
    ['a picture that trickles', trickle, get],
    ['a picture that never comes', never, get],
    ['a receiver whose answer trickles', trickle, post],
    ['a receiver that never answers', never, post],
  ])('ends in time whatever the collector takes meanwhile: %s', async (_name, slow, ask) => {
    listener = slow
    const requests = Array.from({ length: 8 }, () => ask(300))
    expect(await outcomesWithin(1500, requests)).toEqual(Array(8).fill('TimeoutError'))
    // The server notices because connections close, so the collector must not take up that time.
    garbage.stop()
    await expect.poll(() => left).toBe(8)
  })
})

describe('a deadline', () => {
  /** A signal that counts its listeners. */
  function counted() {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    return { signal, listeners: () => listeners }
  }

  test('leaves neither listener nor abort behind once it has ended', async () => {
    const { signal, listeners } = counted()
    const deadline = startDeadline(20, signal)
    expect(listeners()).toBe(1)
    deadline.end()
    expect(listeners()).toBe(0)
    await new Promise((over) => setTimeout(over, 60))
    expect(deadline.signal.aborted).toBe(false)
  })

  test('is over at once if the client has left already', () => {
    const reason = new Error('gone')
    const deadline = startDeadline(1000, AbortSignal.abort(reason))
    expect(deadline.signal.reason).toBe(reason)
    deadline.end()
  })
})
