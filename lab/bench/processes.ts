import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Caller, callerOf } from '#lab/torture/caller.ts'
import { createSignature } from '../../shared/contract/configuration/signature.ts'
import { createVerification } from '../../shared/contract/configuration/verification.ts'
import { initRedirectSession, submitSession } from '../../shared/contract/sessions/session.ts'
import { type BuiltServer, startBuiltServer } from '../../tests/support/programs/built-server.ts'
import { startRedisServer } from '../../tests/support/programs/redis-server.ts'
import { processorTimeOf } from './processor-time.ts'

/** Of each process: until then compilers take more than the calls. */
const warmUps = 1000
const sessions = 2000
/** At each process: with fewer, each turn of its event loop has less to do at once, and costs more. */
const underWayAtEach = 12
const apiKey = 'k'.repeat(43)
const noConsent = { given: false, wordingVersion: '1', locale: 'en' } as const

/**
 * `npm run bench -- processes`: what creating and completing a session takes of the processor, all server processes together, with one and with three of them on one Redis server.
 * Visitors do not agree: no picture is analysed, and every call meets the store.
 */
export async function benchProcesses(): Promise<Record<string, number>> {
  const one = await measure(1)
  const three = await measure(3)
  return {
    'processes.1.microsecondsASession': one.microseconds,
    'processes.3.microsecondsASession': three.microseconds,
    'processes.3 to 1': three.microseconds / one.microseconds,
    'processes.1.sessionsASecond': one.rate,
    'processes.3.sessionsASecond': three.rate,
  }
}

async function measure(count: number): Promise<{ microseconds: number; rate: number }> {
  const auditDir = await mkdtemp(join(tmpdir(), 'selfsame-bench-audit-'))
  const redis = await startRedisServer()
  const servers: BuiltServer[] = []
  try {
    for (let i = 0; i < count; i++) {
      const settings = {
        STORE: redis.address,
        FIRST_API_KEY: apiKey,
        SECRET: 's'.repeat(40),
        AUDIT_DIR: auditDir,
      }
      servers.push(await startBuiltServer(settings, [], { needsKey: false }))
    }
    const callers = servers.map(({ origin }) => callerOf(origin, apiKey))
    const { verificationId } = await callers[0]!.call(createVerification, { body: { name: 'bench' } })
    await pass(callers, verificationId, warmUps * count)
    const before = total(servers)
    const started = performance.now()
    await pass(callers, verificationId, sessions)
    const seconds = (performance.now() - started) / 1000
    return { microseconds: (total(servers) - before) / sessions, rate: sessions / seconds }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await redis.stop()
    await rm(auditDir, { recursive: true, force: true })
  }
}

/** Each process takes as many sessions. */
async function pass(callers: readonly Caller[], verificationId: string, count: number): Promise<void> {
  let begun = 0
  const lanes = Array.from({ length: underWayAtEach * callers.length }, async () => {
    while (begun < count) {
      const caller = callers[begun++ % callers.length]!
      const { signedQueryString: queryString } = await caller.call(createSignature, {
        body: { queryString: '' },
      })
      const { sessionToken: bearer } = await caller.call(initRedirectSession, {
        body: { verificationId, queryString },
      })
      await caller.call(submitSession, { bearer, body: { frames: [], consent: noConsent } })
    }
  })
  await Promise.all(lanes)
}

function total(servers: readonly BuiltServer[]): number {
  return servers.reduce((sum, { pid }) => sum + (processorTimeOf(pid) ?? Number.NaN), 0)
}
