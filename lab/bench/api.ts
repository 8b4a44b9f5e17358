import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { ask, startChild } from '#lab/child.ts'
import { median } from '#lab/evaluate/statistics/quantile.ts'
import { call } from '#shared/call.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { type BuiltServer, startBuiltServer } from '../../tests/support/programs/built-server.ts'
import type { Round } from './load.ts'

const rounds = 9
const millisecondsARound = 1000
const connections = 16

/**
 * Requests per second of the endpoints that integrators call most, of the built product in a process of its own, beside
 * a bare route of the framework in another: over loopback and kept connections, rounds taken in turn, medians.
 */
export async function benchApi(): Promise<Record<string, number>> {
  const product = await startBuiltServer()
  const bare = startChild('lab/bench/bare-koa.ts')
  const load = startChild('lab/bench/load.ts')
  try {
    const [barePort] = (await once(bare, 'message')) as [number]
    const targets = { bare: { port: barePort, message: message('GET /bare') }, ...(await requests(product)) }
    return withRatios(await measure(load, targets))
  } finally {
    load.kill()
    bare.kill()
    await product.stop()
  }
}

type Target = Pick<Round, 'port' | 'message'>

async function measure<Name extends string>(
  load: ChildProcess,
  targets: Record<Name, Target>,
): Promise<Record<Name, number>> {
  const rates = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const [name, target] of Object.entries<Target>(targets)) {
      const rate = await ask(load, {
        ...target,
        connections,
        milliseconds: millisecondsARound,
      } satisfies Round)
      if (typeof rate !== 'number') throw new Error(`The benchmark was answered: ${rate}`)
      // The first round warms up: compilers, caches, the store.
      if (round > 0) rates.set(name, [...(rates.get(name) ?? []), rate])
    }
  }
  return Object.fromEntries([...rates].map(([name, found]) => [name, median(found)])) as Record<Name, number>
}

/** One message for each endpoint that is measured. */
async function requests({ origin, port, apiKey }: BuiltServer) {
  const credential = { apiKey }
  const key = `Authorization: ApiKey ${apiKey}`
  const post = (path: string, body: unknown): Target => ({
    port,
    message: message(`POST ${path}`, [key, 'Content-Type: application/json'], JSON.stringify(body)),
  })
  const get = (path: string): Target => ({ port, message: message(`GET ${path}`, [key]) })
  const queryString = 'reExternalId=user-42&order=7'
  const { signedQueryString } = await call(fetch, origin, createSignature, {
    credential,
    body: { queryString },
  })
  const sessionId = await completedSession(origin, apiKey)
  return {
    signatureCreate: post('/v1/signature/create', { queryString }),
    signatureValidate: post('/v1/signature/validate', { queryString: signedQueryString }),
    tokenGet: get('/v1/token/get'),
    sessionResult: get(`/v1/verification/get-session-result?verificationSessionId=${sessionId}`),
  }
}

/** A session whose visitor did not agree: completed without a picture. */
async function completedSession(origin: string, apiKey: string): Promise<string> {
  const credential = { apiKey }
  const { verificationId } = await call(fetch, origin, createVerification, {
    credential,
    body: { name: 'bench' },
  })
  const { signedQueryString: queryString } = await call(fetch, origin, createSignature, {
    credential,
    body: { queryString: '' },
  })
  const { sessionToken, verificationSessionId } = await call(fetch, origin, initRedirectSession, {
    body: { verificationId, queryString },
  })
  await call(fetch, origin, submitSession, {
    credential: { bearer: sessionToken },
    body: { frames: [], consent: { given: false, wordingVersion: '1', locale: 'en' } },
  })
  return verificationSessionId
}

function message(line: string, headers: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, ...length, '', body].join('\r\n')
}

function withRatios({
  bare,
  ...measured
}: Record<string, number> & { bare: number }): Record<string, number> {
  const ratios = Object.entries(measured).map(([name, rate]) => [`${name}RatioToBare`, rate / bare] as const)
  return { bare, ...measured, ...Object.fromEntries(ratios) }
}
