import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClient, NoAnswer, Problem } from '#shared/client/client.ts'
import { inWords } from '#shared/client/sentences.ts'
import { type Host, startHost } from '../../support/host.ts'

const apiKey = 'a-key-that-nobody-may-read'
const path = '/v1/verification/create'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.splice(0)) step()
})

/** A server that belongs to a different product. */
async function strangerThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  undo.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const page: (status: number) => RequestListener = (status) => (_request, response) =>
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end('<title>It works</title>')

async function errorOf(origin: string, more: object = {}): Promise<Error> {
  const client = createClient({ origin, apiKey, ...more })
  const error = await client.configuration.createVerification({ name: '' }).then(
    () => new Error('It was answered.'),
    (error: Error) => error,
  )
  expect(error.message).not.toContain('\n')
  expect(JSON.stringify([error.message, error.stack, error])).not.toContain(apiKey)
  return error
}

describe('a failed call explains in one sentence', () => {
  test('that the key is not valid there, or is empty, or that none was given', async () => {
    const detail = (received: string) =>
      `A valid credential is required. This endpoint accepts \`Authorization: ApiKey …\` or \`Authorization: Bearer …\`. It received ${received}.`
    const began = (received: string) =>
      `POST ${host.origin}${path} was answered 401 (unauthenticated): ${detail(received)}`
    const nameless = 'an Authorization header without a scheme or without a credential'
    const wrong = await errorOf(host.origin)
    expect(wrong).toBeInstanceOf(Problem)
    expect(wrong.message).toBe(
      `${began('an API key')} The client's API key is not valid here: it may be mistyped, expired, or for another server.`,
    )
    expect((wrong as Problem).detail).toBe(detail('an API key'))
    const empty = await errorOf(host.origin, { apiKey: '' })
    expect(empty.message).toBe(`${began(nameless)} The client's API key is empty.`)
    const none = await errorOf(host.origin, { apiKey: undefined })
    expect(none.message).toBe(`${began('nothing')} The client has none.`)
  })

  test('the fault in the request, and its position', async () => {
    const client = createClient({ origin: host.origin, apiKey: host.apiKey })
    const sent = client.configuration.createSession({ verifierConfigs: {}, externalID: 'x' } as never)
    await expect(sent).rejects.toThrow(
      `POST ${host.origin}/v1/verification/create-session was answered 400 (unknown_name): #/externalID is not a known name: did you mean externalId?`,
    )
  })

  test('a fault that is a sentence of its own, after a colon', () => {
    const asked = {
      endpoint: { method: 'POST', path },
      origin: 'http://127.0.0.1:8080',
      credential: { apiKey },
      timeoutInMilliseconds: 1000,
    } as const
    const problem = Problem.at('#/frames', 'At least one frame is required.')
    expect((inWords(problem, asked) as Error).message).toBe(
      `POST http://127.0.0.1:8080${path} was answered 400 (invalid_request): #/frames: At least one frame is required.`,
    )
  })

  test('that the connection was refused', async () => {
    const origin = await strangerThat(() => undefined)
    for (const step of undo.splice(0)) step()
    const error = await errorOf(origin)
    expect(error).toBeInstanceOf(NoAnswer)
    expect(error).toMatchObject({ name: 'NoAnswer', code: 'ECONNREFUSED' })
    expect(error.cause).toBeUndefined()
    expect(error.message).toBe(
      `POST ${origin}${path}: the connection was refused (ECONNREFUSED). Is the server running, and is the port right?`,
    )
  })

  test('that it timed out', async () => {
    const origin = await strangerThat(() => undefined)
    const error = await errorOf(origin, { timeoutInMilliseconds: 100 })
    expect(error).toBeInstanceOf(NoAnswer)
    expect(error.name).toBe('TimeoutError')
    expect(error.message).toBe(`POST ${origin}${path}: there was no answer within 0.1 s.`)
  })

  test('that the other side is not Selfsame', async () => {
    const friendly = await strangerThat(page(200))
    expect((await errorOf(friendly)).message).toBe(
      `POST ${friendly}${path}: the answer is not JSON, so it did not come from Selfsame. Is the origin right?`,
    )
    const missing = await strangerThat(page(404))
    const error = await errorOf(missing)
    expect(error).toMatchObject({ code: 'not_found', status: 404 })
    expect(error.message).toBe(
      `POST ${missing}${path} was answered 404 (not_found): The answer (text/html) did not come from Selfsame, but from another server or a proxy. Is the origin right?`,
    )
  })

  test('that the server does not speak https', async () => {
    const origin = (await strangerThat(page(200))).replace('http:', 'https:')
    expect((await errorOf(origin)).message).toMatch(
      /: the connection failed \(\w+\)\. Is the origin right, also in http or https\?$/,
    )
  })

  test('nothing of a name and password in an origin', async () => {
    const { message } = await errorOf('http://someone:secret@127.0.0.1:1')
    expect(message).toMatch(/^POST http:\/\/127\.0\.0\.1:1\/v1/)
  })

  test.each(['127.0.0.1:8080', 'localhost:8080', 'ftp://check.example', '', 'http://'])(
    'that %j is not an origin',
    async (origin) => {
      expect((await errorOf(origin)).message).toBe(
        "The client's origin must begin with http:// or https://, such as http://127.0.0.1:8080.",
      )
    },
  )

  test.each(['a-key\n', ' a-key', 'a key', 'a-kéy'])('that %j is no key, without it', async (odd) => {
    const error = await errorOf(host.origin, { apiKey: odd })
    expect(error.message).toBe(
      "The client's credential contains an invalid character, such as a space or a line break.",
    )
  })
})
