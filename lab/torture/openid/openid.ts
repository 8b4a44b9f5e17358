import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FuzzAnswer } from '#lab/fuzz/fuzz-request.ts'
import { send } from '#lab/fuzz/transport.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { comingAfter, type MalformedRequest, malformed } from './malformed.ts'
import { openTestIssuer, redirectUri } from './test-sign-in.ts'

const concurrency = 8
/** A code expires after one minute, so it is shared by this many requests. */
const perCode = 100

export const openidPlans = { short: 800, full: 20_000 } as const

/** The results of sending malformed requests to the OpenID provider. */
export interface OpenidFigures extends Readonly<Record<string, number>> {
  readonly requests: number
  /** The number of requests that got a code, a token, claims, or a visit. */
  readonly letThrough: number
  readonly internalErrors: number
  readonly unanswered: number
  /** Complete sign-ins in between, which must succeed for the test to prove anything. */
  readonly signIns: number
  readonly signInsRefused: number
}

/** Sends malformed requests to the built server's provider, each with at least one fault, and runs complete sign-ins in between. */
export async function tortureOpenid(
  requests: number,
  seed: number,
  tell: (line: string) => void,
): Promise<OpenidFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-openid-'))
  const unlimited = { RATE_LIMIT_REQUESTS: 'off', RATE_LIMIT_INITS: 'off', RATE_LIMIT_LOGINS: 'off' }
  const server = await startBuiltServer({
    ...unlimited,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    DEMO: 'false',
    OPENID_PROVIDER: 'on',
  })
  try {
    while ((await fetch(`${server.origin}/v1/readyz`)).status !== 200) await pause(50)
    return await sendAll(server, requests, seed, tell)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sendAll(server: BuiltServer, requests: number, seed: number, tell: (line: string) => void) {
  const issuer = await openTestIssuer(server)
  const line = { port: server.port, agent: new Agent({ keepAlive: true, maxSockets: concurrency }) }
  const counts = { requests, letThrough: 0, internalErrors: 0, unanswered: 0, signIns: 0, signInsRefused: 0 }
  const note = (request: MalformedRequest, answer: FuzzAnswer | undefined, number: number) => {
    const fault = faultOf(request, answer)
    if (fault === undefined) return
    counts[fault]++
    const words = `${request.method} ${request.target.slice(0, 300)} (${request.done.join(', ').slice(0, 300)})`
    tell(`${fault}: request ${number}: ${answer?.status ?? 'no answer'} to ${words}`)
  }
  for (let from = 0; from < requests; from += perCode) {
    const fresh = await issuer.signIn()
    const numbers = Array.from({ length: Math.min(perCode, requests - from) }, (_, i) => from + i)
    const workers = Array.from({ length: concurrency }, async () => {
      for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
        const request = malformed(issuer, fresh, { seed, number })
        const answer = await send(line, request)
        const isPushed = request.aim.endsWith('/par') && answer?.status === 201
        const coming = isPushed ? { ...comingAfter(issuer, answer.body), done: request.done } : undefined
        note(coming ?? request, coming === undefined ? answer : await send(line, coming), number)
      }
    })
    await Promise.all(workers)
    // A code that no malformed request was able to redeem is still valid. A guessed code would not be.
    counts.signIns++
    if ((await issuer.redeem(fresh)) !== 200) counts.signInsRefused++
  }
  line.agent.destroy()
  return counts
}

/** Describes what is wrong with an answer. Undefined if the request was rejected. */
function faultOf(
  { aim }: MalformedRequest,
  answer: FuzzAnswer | undefined,
): 'letThrough' | 'internalErrors' | 'unanswered' | undefined {
  if (answer === undefined) return 'unanswered'
  const { status, headers } = answer
  if (status >= 500) return 'internalErrors'
  if (status < 300) return aim.includes('/.well-known/') ? undefined : 'letThrough'
  if (status >= 400) return undefined
  const back = headers.get('location') ?? ''
  // A known site receives an error. Any other redirect means that the request got through.
  return back.startsWith(redirectUri) && isError(new URL(back)) ? undefined : 'letThrough'
}

/** Looks in the query, or in the fragment if that response mode was requested. */
function isError({ searchParams, hash }: URL): boolean {
  const answer = hash === '' ? searchParams : new URLSearchParams(hash.slice(1))
  return answer.has('error') && !answer.has('code')
}

/** True if no request got through, no call failed, and all valid sign-ins succeeded. */
export function refusedAll({
  letThrough,
  internalErrors,
  unanswered,
  signInsRefused,
}: OpenidFigures): boolean {
  return letThrough + internalErrors + unanswered + signInsRefused === 0
}
