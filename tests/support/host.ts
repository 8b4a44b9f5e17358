import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Koa from 'koa'
import { reactionInMilliseconds } from '#models/rules/challenge/step-judgement.ts'
import { packs } from '#models/rules/packs.ts'
import { composeServices, type Services } from '#server/app/compose.ts'
import { createDemo } from '#server/app/demo/demo.ts'
import type { Ports } from '#server/app/ports.ts'
import { compose, type Site } from '#server/app/serving/compose.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createRateLimits, type RateLimitSettings } from '#server/platform/http/limits/rate-limits.ts'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import type { RequestRecord } from '#server/platform/http/requests/request-record.ts'
import { serve } from '#server/platform/http/responses/serve.ts'
import { createByteBudget } from '#server/platform/running/byte-budget.ts'
import { createMemoryBlobs } from '#server/platform/store/blobs/memory-blobs.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createSharedRateCounter } from '#server/platform/store/shared-rate-counter.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createMetrics } from '#server/platform/telemetry/figures/metrics.ts'
import { call } from '#shared/call.ts'
import { submitStep } from '#shared/contract/sessions/session.ts'
import type { Arguments, Endpoint, ResultOf } from '#shared/endpoint.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import { createFakeAnalysis } from './drawn/fake-analysis.ts'
import { quietSources } from './quiet-sources.ts'

/** A complete server on a free port, with an in-memory store and a clock that can be set. */
export interface Host {
  readonly origin: string
  readonly apiKey: string
  readonly accountId: string
  readonly services: Services
  readonly app: Koa
  readonly store: Store
  readonly analysis: ReturnType<typeof createFakeAnalysis>
  readonly errors: unknown[]
  /** The details that were logged. */
  readonly details: unknown[]
  /** The records of requests that have finished. */
  readonly records: RequestRecord[]
  /** Advances the clock. */
  pass(milliseconds: number): void
  now(): number
  /** Calls an endpoint with the account's key, or with the given credential instead. */
  call<E extends Endpoint>(
    endpoint: E,
    args: Arguments<E> & { bearer?: string; apiKey?: string },
  ): Promise<ResultOf<E>>
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

const noLimits: RateLimitSettings = {
  analyses: undefined,
  requests: undefined,
  inits: undefined,
  failedLogins: undefined,
}

/** All hosts that use the same store share its audit log folder. */
const auditDirs = new WeakMap<Store, Promise<string>>()

export function auditDirOf(store: Store): Promise<string> {
  const known = auditDirs.get(store) ?? newAuditDir()
  auditDirs.set(store, known)
  return known
}

const madeDirs: string[] = []
process.once('exit', () => {
  for (const path of madeDirs) rmSync(path, { recursive: true, force: true })
})

async function newAuditDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'selfsame-audit-'))
  madeDirs.push(path)
  return path
}

interface Options {
  ports?: Partial<Ports>
  site?: Partial<Site>
  store?: Store
  demo?: boolean
  roles?: readonly Role[]
  limits?: Partial<RateLimitSettings>
}

export async function startHost(options: Options = {}): Promise<Host> {
  let ahead = 0
  let lastStepAt = 0
  const now = () => Date.now() + ahead
  const store = options.store ?? createMemoryStore(now)
  const keyRing = createKeyRing(Buffer.alloc(32, 7), options.ports?.region ?? 'EU')
  const analysis = createFakeAnalysis()
  const metrics = createMetrics({ ...quietSources, parallelAnalyses: () => analysis.parallel })
  const errors: unknown[] = []
  const details: unknown[] = []
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const services = composeServices({
    auditSegments: createFolderSegments(await auditDirOf(store), now),
    store,
    keyRing,
    analysis,
    outbound: createOutbound({ allowLoopback: true }),
    now,
    origin: () => origin,
    issuer: () => origin,
    region: 'EU',
    pack: packs.standard,
    challengeActions: ['turnLeft', 'turnRight', 'lookUp'],
    attemptLimit: undefined,
    forgeryLimit: undefined,
    embedOrigins: [],
    webhookRetryAfterInMilliseconds: 5,
    collectionLimit: 1000,
    tally: metrics.tally,
    blobs: createMemoryBlobs(),
    onEvidenceLost: (error) => errors.push(error),
    phase: () => 'serving',
    onFailure: (error) => errors.push(error),
    ...options.ports,
  })
  const { account, apiKey } = await services.accounts.create('Test account')
  const rateCounter = createSharedRateCounter({ store, now, onFailure: (error) => errors.push(error) })
  const records: RequestRecord[] = []
  const site: Site = {
    headers: { embedOrigins: [], demo: false, https: false },
    files: new Map(),
    demo: options.demo ? await createDemo(services, () => origin) : undefined,
    log: { error: ({ error }) => errors.push(error), debug: ({ error }) => details.push(error) },
    observe: (record) => {
      records.push(record)
      metrics.observe(record)
    },
    metrics: { ...metrics, token: undefined },
    limits: createRateLimits(rateCounter, { ...noLimits, ...options.limits }),
    budget: createByteBudget(128 * 1024 * 1024),
    corsOrigins: [],
    trustedProxies: 0,
    ...options.site,
  }
  const app = compose(options.roles ?? (Object.keys(hosts) as Role[]), services, site)
  serve(server, app, site)
  return {
    app,
    origin,
    apiKey,
    accountId: account.accountId,
    services,
    store,
    analysis,
    errors,
    details,
    records,
    now,
    pass: (milliseconds) => {
      ahead += milliseconds
    },
    call: async (endpoint, { bearer, apiKey: otherKey, ...args }) => {
      const credential = bearer === undefined ? { apiKey: otherKey ?? apiKey } : { bearer }
      const isStep = endpoint.path === submitStep.path
      // An immediate answer would count as a film, so this adds the time that a person takes to react.
      if (isStep) ahead += Math.max(0, lastStepAt + reactionInMilliseconds - now())
      const result = await call(fetch, origin, endpoint, { ...args, credential } as never)
      if (isStep) lastStepAt = now()
      return result as never
    },
    fetch: (path, init) => fetch(origin + path, { redirect: 'manual', ...init }),
    async close() {
      await stop(server)
      await services.evidence.stop()
    },
  }
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((closed) => server.close(() => closed()))
}
