import { mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { hosts, type Role } from '#shared/hosts.ts'
import { createAnalysisPool } from './analysis/pool.ts'
import { startWorkerThread } from './analysis/worker-thread.ts'
import { compose } from './compose.ts'
import { createDemo } from './demo/demo.ts'
import { createAllowList } from './http/allow-list.ts'
import { createOutbound } from './http/outbound.ts'
import { listStaticFiles } from './http/static-files.ts'
import { createKeyRing } from './security/key-ring.ts'
import { loadMasterSecret } from './security/master-secret.ts'
import { createServices } from './services.ts'
import { observe } from './sessions/observe.ts'
import { createPictureMemory } from './sessions/picture-memory.ts'
import { judgeStep, verdict } from './sessions/verdict.ts'
import { readSettings, type Settings } from './settings.ts'
import { openLmdbStore } from './store/lmdb.ts'
import { stampRegion } from './store/region-stamp.ts'
import { warningsOf } from './warnings.ts'

const sweepEveryMilliseconds = 30_000
const stopWithinMilliseconds = 5_000

const here = fileURLToPath(import.meta.url)
const isSource = here.endsWith('.ts')
const workerFile = join(dirname(here), isSource ? '../workers/node/analysis.worker.ts' : 'analysis.worker.js')
const builtPages = join(dirname(here), isSource ? '../dist/web' : '../web')

const settings = readSettings()
const log = pino({ level: settings.logLevel, base: null }, pino.destination(2))
await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
const keyRing = createKeyRing(await loadMasterSecret(settings.secret, settings.dataDir), settings.region)
const store = openLmdbStore(join(settings.dataDir, 'store'))
await stampRegion(store, settings.region)

const server = createServer()
const origin = () => settings.publicUrl ?? addressOf(server, settings)
const analysis = createAnalysisPool({
  threads: settings.analysisThreads,
  startWorker: () => startWorkerThread(workerFile),
  jobTimeoutInMilliseconds: 10_000,
  onFailure: (error) => log.error({ error: messageOf(error) }, 'An analysis worker failed'),
})
const services = createServices({
  store,
  keyRing,
  analysis,
  pictureMemory: createPictureMemory(store, keyRing, Date.now),
  outbound: createOutbound({
    allowLoopback: settings.webhookAllowLoopback,
    alsoGetFrom: createAllowList(settings.imageUrlAllow),
  }),
  judge: { observe, judgeStep, decide: verdict },
  now: Date.now,
  origin,
  region: settings.region,
  challengeActions: settings.challengeActions,
  attemptLimit: settings.attemptLimit,
  webhookRetryAfterInMilliseconds: 1000,
  collectionLimit: settings.collectionLimit,
})

const firstAccount = await services.accounts.createOnce('first', 'My account')
const app = compose(Object.keys(hosts) as Role[], services, {
  headers: {
    embedOrigins: settings.embedOrigins,
    demo: settings.demo,
    https: settings.publicUrl?.startsWith('https:') ?? false,
  },
  files: await listStaticFiles(settings.webDir ?? builtPages),
  demo: settings.demo ? await createDemo(services, origin) : undefined,
  log: {
    error: ({ requestId, error }, text) => log.error({ requestId, error: messageOf(error) }, text),
    debug: ({ requestId, error }, text) => log.debug({ requestId, error: messageOf(error) }, text),
  },
})

server.on('request', app.callback())
server.headersTimeout = 15_000
server.requestTimeout = 60_000
await new Promise<void>((listening, fail) => {
  server.once('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'EADDRINUSE' ? new Error(`Port ${settings.port} is in use; set PORT to another`) : error,
    ),
  )
  server.listen(settings.port, settings.host, listening)
})
announce()

const sweeping = setInterval(() => void sweep(), sweepEveryMilliseconds)
void services.deliveries
  .resume()
  .catch((error) => log.error({ error: messageOf(error) }, 'Deliveries could not be resumed'))
void sweep()
void analysis
  .warmUp()
  .catch((error) => log.error({ error: messageOf(error) }, 'The analysis could not start'))
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())

function announce(): void {
  const key = firstAccount?.apiKey ?? 'was printed at the first start'
  console.log(`Selfsame is ready at ${origin()}/`)
  console.log(`API key: ${key}`)
  if (settings.demo) console.log(`Demo: ${origin()}/demo`)
  const keyGoesToPipe = firstAccount !== undefined && process.stdout.isTTY !== true
  for (const { code, meaning } of warningsOf(settings, keyGoesToPipe)) {
    console.error(`WARN security ${code}: ${meaning}`)
  }
}

async function sweep(): Promise<void> {
  try {
    await services.sessions.expireOverdue()
    await store.sweep()
  } catch (error) {
    log.error({ error: messageOf(error) }, 'The sweep failed')
  }
}

/** Stops taking requests, lets those under way and the webhooks finish for a while, then closes the store. */
async function stop(): Promise<void> {
  clearInterval(sweeping)
  const finished = new Promise<void>((closed) => server.close(() => closed()))
  server.closeIdleConnections()
  const patience = new Promise<void>((over) => setTimeout(over, stopWithinMilliseconds).unref())
  await Promise.race([Promise.all([finished, services.deliveries.settle()]), patience])
  server.closeAllConnections()
  await analysis.close()
  await store.close()
  process.exit(0)
}

function addressOf(listening: Server, { host }: Settings): string {
  const { port } = listening.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
