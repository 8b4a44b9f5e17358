import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { ask, startChild } from '#lab/child.ts'
import { median } from '#lab/statistics/quantile.ts'
import { call } from '../../shared/call.ts'
import { createSignature } from '../../shared/contract/configuration/signature.ts'
import { createVerification } from '../../shared/contract/configuration/verification.ts'
import { initRedirectSession, submitSession } from '../../shared/contract/sessions/session.ts'
import { type BuiltServer, startBuiltServer } from '../../tests/support/programs/built-server.ts'
import type { Round } from './load.ts'
import { processorTimeOf } from './processor-time.ts'

const rounds = 9
const millisecondsARound = 1000
const connections = 16

/**
 * Measures requests per second for the endpoints that integrators call most, on the built product in a separate process, and compares them with a
 * bare route of the framework in another process: over loopback with kept-alive connections, in alternating rounds, using medians. Also measures the
 * processor time per request in microseconds, which is more reliable on a busy machine.
 */
export async function benchApi(): Promise<Record<string, number>> {
  const product = await startBuiltServer()
  const bare = startChild('lab/bench/bare-koa.ts')
  const load = startChild('lab/bench/load.ts')
  try {
    const [barePort] = (await once(bare, 'message')) as [number]
    const bareTarget = { port: barePort, pid: bare.pid!, message: message('GET /bare') }
    return withRatios(await measure(load, { bare: bareTarget, ...(await requests(product)) }))
  } finally {
    load.kill()
    bare.kill()
    await product.stop()
  }
}

type Target = Pick<Round, 'port' | 'message'> & { readonly pid: number }

interface RateFigure {
  /** In requests per second. */
  readonly rate: number
  /** The processor time per request. Undefined if the system does not report it. */
  readonly microseconds: number | undefined
}

async function measure<Name extends string>(
  load: ChildProcess,
  targets: Record<Name, Target>,
): Promise<Record<Name, RateFigure>> {
  const found = new Map<string, RateFigure[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const [name, target] of Object.entries<Target>(targets)) {
      const one = await measureOnce(load, target)
      // The first round warms up the compilers, caches and store.
      if (round > 0) found.set(name, [...(found.get(name) ?? []), one])
    }
  }
  return Object.fromEntries([...found].map(([name, all]) => [name, medianOf(all)])) as Record<
    Name,
    RateFigure
  >
}

async function measureOnce(load: ChildProcess, { pid, ...target }: Target): Promise<RateFigure> {
  const before = processorTimeOf(pid)
  const started = performance.now()
  const rate = await ask(load, { ...target, connections, milliseconds: millisecondsARound } satisfies Round)
  if (typeof rate !== 'number') throw new Error(`The server answered the benchmark: ${rate}`)
  const answered = (rate * (performance.now() - started)) / 1000
  const after = processorTimeOf(pid)
  const isKnown = before !== undefined && after !== undefined
  return { rate, microseconds: isKnown ? (after - before) / answered : undefined }
}

function medianOf(found: readonly RateFigure[]): RateFigure {
  const times = found.flatMap(({ microseconds }) => microseconds ?? [])
  return {
    rate: median(found.map(({ rate }) => rate)),
    microseconds: times.length === 0 ? undefined : median(times),
  }
}

/** A message for each endpoint that is measured. */
async function requests({ origin, port, pid, apiKey }: BuiltServer) {
  const credential = { apiKey }
  const key = `Authorization: ApiKey ${apiKey}`
  const post = (path: string, body: unknown): Target => ({
    port,
    pid,
    message: message(`POST ${path}`, [key, 'Content-Type: application/json'], JSON.stringify(body)),
  })
  const get = (path: string): Target => ({ port, pid, message: message(`GET ${path}`, [key]) })
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

/** A session in which the visitor declined, so that it completes without a picture. */
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
}: Record<string, RateFigure> & { bare: RateFigure }): Record<string, number> {
  const all = Object.entries({ bare, ...measured })
  return Object.fromEntries([
    ...all.map(([name, { rate }]) => [name, rate] as const),
    ...Object.entries(measured).map(([name, { rate }]) => [`${name}RatioToBare`, rate / bare.rate] as const),
    ...all.flatMap(([name, { microseconds }]) =>
      microseconds === undefined ? [] : [[`${name}Microseconds`, microseconds] as const],
    ),
  ])
}
