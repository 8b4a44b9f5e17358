import '../../long-alone.ts'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFaceEmbeddings } from '#shared/contract/analysis/face-verification.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { some } from '../../../e2e/support/length.ts'
import { startReceiver } from '../../support/programs/receiver.ts'
import { type ServerProcess, startProcess, stillLoading } from '../../support/programs/server-process.ts'
import { consent } from '../../support/visit.ts'

const frameCount = 12
const declined = { frames: [], consent: { ...consent, given: false } }

let folder: string
let frames: { bytes: string; time: number; challengeStep: number }[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-stop-'))
  const photograph = await readFile('tests/support/pictures/astronaut.png')
  const jpeg = await sharp(photograph).flatten().jpeg().toBuffer()
  const bytes = jpeg.toString('base64')
  frames = Array.from({ length: frameCount }, (_, i) => ({ bytes, time: i * 100, challengeStep: 0 }))
})

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers) close()
  await rm(folder, { recursive: true, force: true })
})

async function start(name: string, env = {}): Promise<ServerProcess> {
  const server = await startProcess({ DATA_DIR: join(folder, name), ...env })
  closers.push(() => server.child.exitCode ?? server.child.kill('SIGKILL'))
  return server
}

async function startHook(answers: Parameters<typeof startReceiver>[0] = []) {
  const receiver = await startReceiver(answers)
  closers.push(receiver.close)
  return receiver
}

async function openSession(server: ServerProcess, verificationConfig: VerificationConfig) {
  const { verificationId } = await server.call(createVerification, {
    body: { name: 'stop', verificationConfig },
  })
  const { signedQueryString: queryString } = await server.call(createSignature, { body: { queryString: '' } })
  return server.call(initRedirectSession, { body: { verificationId, queryString } })
}

async function figure(server: ServerProcess, name: string): Promise<number> {
  const headers = { authorization: `ApiKey ${server.apiKey}` }
  const figures = await (await fetch(`${server.origins[0]}/metrics`, { headers })).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(figures)?.[1])
}

describe('SIGTERM', () => {
  test('finishes a submission in progress and its webhook, and accepts nothing new', async () => {
    const server = await start('judged')
    const receiver = await startHook()
    const { sessionToken: bearer } = await openSession(server, {
      verifierConfigs: { age: { type: 'CalculationOnly' } },
      webhookConfig: { eventCallbackUrl: receiver.address },
    })
    await server.ready()
    const submitting = server.call(submitSession, { bearer, body: { frames, consent } })
    await expect.poll(() => figure(server, 'selfsame_analyses_under_way'), { interval: 20 }).toBe(1)
    const stopped = server.stop('SIGTERM')
    await expect.poll(() => fetch(`${server.origins[0]}/v1/healthz`).catch(() => 'refused')).toBe('refused')
    expect((await submitting).verificationResult).toBe('Pass')
    expect(await stopped).toBe(0)
    expect(receiver.received).toHaveLength(1)
  })

  test('a second signal closes at once what a client holds open', async () => {
    const server = await start('twice', stillLoading)
    const { hostname, port } = new URL(server.origins[0]!)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      'POST /v1/verification/init-redirect-session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    )
    await new Promise((over) => setTimeout(over, 300))
    const started = Date.now()
    const stopped = server.stop('SIGTERM')
    await new Promise((over) => setTimeout(over, 500))
    expect(server.child.exitCode).toBeNull()
    server.child.kill('SIGTERM')
    expect(await stopped).toBeNull()
    expect(Date.now() - started).toBeLessThan(10_000)
    socket.destroy()
  })
})

/** The lines that a process logs from this point on. */
function logOf(server: ServerProcess): string[] {
  const log: string[] = []
  server.child.stderr!.on('data', (lines) => log.push(String(lines)))
  return log
}

const traces = /Napi|terminate called|FATAL/

describe('SIGTERM while native code computes', () => {
  test.each(some([300, 900, 100, 500, 700, 1100]))(
    '%i ms into the loading of the networks ends the process in order',
    async (milliseconds) => {
      const server = await start(`loading-${milliseconds}`)
      const log = logOf(server)
      await new Promise((over) => setTimeout(over, milliseconds))
      expect(await server.stop('SIGTERM')).toBe(0)
      expect(log.join('')).not.toMatch(traces)
    },
    60_000,
  )

  test.each(some([60, 20, 100]))(
    '%i ms after the clients of pending analyses left ends the process in order',
    async (milliseconds) => {
      const server = await start(`left-${milliseconds}`)
      const log = logOf(server)
      await server.ready()
      const leaving = new AbortController()
      const headers = { authorization: `ApiKey ${server.apiKey}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ image: { bytes: frames[0]!.bytes } })
      const request = { method: 'POST', headers, body, signal: leaving.signal }
      const asked = frames.map(() =>
        fetch(server.origins[0] + getFaceEmbeddings.path, request).catch(() => undefined),
      )
      await expect
        .poll(() => figure(server, 'selfsame_analyses_under_way'), { interval: 20 })
        .toBeGreaterThan(0)
      leaving.abort()
      await Promise.all(asked)
      await new Promise((over) => setTimeout(over, milliseconds))
      expect(await server.stop('SIGTERM')).toBe(0)
      expect(log.join('')).not.toMatch(traces)
    },
    60_000,
  )
})

/** Each test waits for a webhook to be resumed. They have separate servers and receivers, so they all run at once. */
describe.concurrent('a crash', () => {
  const complete = async (server: ServerProcess, eventCallbackUrl: string) => {
    const opened = await openSession(server, { webhookConfig: { eventCallbackUrl } })
    await server.call(submitSession, { bearer: opened.sessionToken, body: declined })
    return opened
  }
  const idsOf = (received: readonly { headers: Record<string, unknown> }[]) =>
    new Set(received.map(({ headers }) => headers['webhook-id']))

  test('during a webhook costs that attempt: the next start makes the other, and no third', async ({
    expect,
  }) => {
    const receiver = await startHook(['hang', 'hang'])
    const first = await start('attempts', stillLoading)
    const { verificationSessionId } = await complete(first, receiver.address)
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1)
    await first.stop('SIGKILL')

    const second = await start('attempts', stillLoading)
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(2)
    await second.stop('SIGKILL')

    const third = await start('attempts', stillLoading)
    await new Promise((over) => setTimeout(over, 2000))
    expect(receiver.received).toHaveLength(2)
    expect(idsOf(receiver.received).size).toBe(1)
    const { apiKey } = first
    const result = await third.call(getSessionResult, { apiKey, query: { verificationSessionId } })
    expect(result.verificationFailedReasons).toEqual(['consentDeclined'])
  })

  test.for(some([3, 0, 10]))(
    'right after the session was closed (%s ms) loses nothing, and sends at most twice',
    { timeout: 120_000 },
    async (milliseconds, { expect }) => {
      const receiver = await startHook()
      const name = `closed-${milliseconds}`
      const first = await start(name, stillLoading)
      await complete(first, receiver.address)
      await new Promise((over) => setTimeout(over, milliseconds))
      await first.stop('SIGKILL')
      const second = await start(name, stillLoading)
      await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(1)
      await second.stop('SIGTERM')
      expect(receiver.received.length).toBeLessThanOrEqual(2)
      expect(idsOf(receiver.received).size).toBe(1)
    },
  )
})
