import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { embeddingLengths } from '#models/rules/embedding.ts'
import { observe } from '#models/rules/observe.ts'
import { judgeStep, verdict } from '#models/rules/verdict.ts'
import type { Role } from '#shared/hosts.ts'
import { createAnalysisPool } from './analysis/pool.ts'
import { startWorkerThread } from './analysis/worker-thread.ts'
import { readStartWords } from './command/start-words.ts'
import { createDemo } from './demo/demo.ts'
import { serve } from './http/answers/serve.ts'
import { listStaticFiles, withoutServiceWorker } from './http/answers/static-files.ts'
import { compose, type Site } from './http/compose.ts'
import { createRateLimits } from './http/limits/rate-limits.ts'
import { createAllowList } from './http/outbound/allow-list.ts'
import { createOutbound } from './http/outbound/outbound.ts'
import { explainFailedStart } from './operations/failed-start.ts'
import { createListeningServer } from './operations/listening-server.ts'
import { createLog } from './operations/log.ts'
import { measured } from './operations/measured-analysis.ts'
import { createMetrics } from './operations/metrics.ts'
import type { Phase } from './operations/phase.ts'
import { provenanceOf } from './operations/provenance.ts'
import { warningsOf } from './operations/warnings.ts'
import { createFacesInThreads } from './recognition/faces/faces-in-threads.ts'
import { createSearchThreads } from './recognition/search/search-threads.ts'
import { startSearchThread } from './recognition/search/start-search-thread.ts'
import { openKeyRing } from './security/open-key-ring.ts'
import { createServices } from './services.ts'
import { createPictureMemory } from './sessions/pictures/picture-memory.ts'
import { readSettings } from './settings.ts'
import { openStore } from './store/open-store.ts'

readStartWords(process.argv.slice(2))

const sweepEveryMilliseconds = 30_000
/** What waits to be written where nobody reads standard error; more is dropped. */
const mostLogBytes = 4 * 1024 * 1024
const warmUpAgainAfterMilliseconds = 5_000
/** Longer than a picture may take, and than both attempts of a webhook; shorter than most supervisors wait. */
const stopWithinMilliseconds = 25_000
/** Longer than a network takes to load, or to look at one picture. */
const threadsEndWithinMilliseconds = 3_000

const here = fileURLToPath(import.meta.url)
const isSource = here.endsWith('.ts')
const analysisWorker = join(
  dirname(here),
  isSource ? '../workers/node/analysis.worker.ts' : 'analysis.worker.js',
)
const searchWorker = join(dirname(here), isSource ? 'search/search.worker.ts' : 'search.worker.js')
const builtPages = join(dirname(here), isSource ? '../dist/web' : '../web')

const logFile = pino.destination({ dest: 2, sync: false, maxLength: mostLogBytes })
/** [Note: Nobody need listen] Whoever started the server may close what it prints to, as `| head -2` does: it serves on. */
const outputs: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr, logFile]
for (const output of outputs) output.on('error', () => undefined)

const hasStarted = explainFailedStart()
const settings = readSettings()
const log = createLog(settings.logLevel, logFile)
await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
const { store, bytes, rateCounter, traits, tookBack } = await openStore(settings, (error) =>
  log.failure(error, 'The store failed'),
)
const { keyRing, opensWithFormer } = await openKeyRing(store, settings)

const onPortFailure = (error: unknown) => log.failure(error, 'A port failed')
const servers = settings.listeners.map((listener) =>
  createListeningServer(listener, settings.host, onPortFailure),
)
const serves = (role: Role) => servers.some(({ roles }) => roles.includes(role))
const addressOf = (role: Role) => (servers.find(({ roles }) => roles.includes(role)) ?? servers[0]!).address()
const origin = () => settings.configurationUrl ?? addressOf('configuration')
const issuer = () => settings.securityUrl ?? addressOf('security')
const analyses = servers.some(({ roles }) => roles.some((role) => role !== 'security'))
let phase: Phase = analyses ? 'starting' : 'serving'
const isStarting = () => phase === 'starting'
let sweeping = Promise.resolve()

const pool = createAnalysisPool({
  threads: settings.analysisThreads,
  startWorker: () => startWorkerThread(analysisWorker, settings.pack.name),
  jobTimeoutInMilliseconds: 20_000,
  patienceInMilliseconds: 10_000,
  onFailure: (error) => log.failure(error, 'An analysis worker failed'),
})
const searchThreads = createSearchThreads({
  count: settings.searchThreads,
  start: () => startSearchThread(searchWorker, embeddingLengths[settings.pack.embeddingModel]),
  onFailure: (error) => log.failure(error, 'A search worker failed'),
})
const analysis = measured(pool, (outcome, duration) => metrics.analysisEnded(outcome, duration))
const metrics = createMetrics({
  analysesUnderWay: analysis.underWay,
  parallelAnalyses: () => pool.parallel,
  storeBytes: bytes,
})
const pictureMemory = createPictureMemory(store, keyRing, Date.now)
const services = createServices({
  store,
  keyRing,
  analysis,
  pictureMemory,
  outbound: createOutbound({
    allowLoopback: settings.webhookAllowLoopback,
    alsoGetFrom: createAllowList(settings.imageUrlAllow),
  }),
  judge: { observe, judgeStep, decide: verdict },
  now: Date.now,
  origin,
  issuer,
  region: settings.region,
  pack: settings.pack,
  challengeActions: settings.challengeActions,
  attemptLimit: settings.attemptLimit,
  embedOrigins: settings.embedOrigins,
  webhookRetryAfterInMilliseconds: 1000,
  collectionLimit: settings.collectionLimit,
  createIndex: (model) => createFacesInThreads(searchThreads, model),
  facesInMemory: settings.facesInMemory,
  tally: metrics.tally,
  phase: () => phase,
  onFailure: (error) => log.failure(error, 'The audit log could not be added to'),
})

const firstAccount = await services.accounts.createOnce('first', 'My account')
const files = await listStaticFiles(settings.webDir ?? builtPages)
if (settings.webDir !== undefined && !files.has('/index.html')) {
  throw new Error(`There is no built page in ${settings.webDir}, which WEB_DIR names.`)
}
const hasDemo = settings.demo && serves('configuration')
const site: Site = {
  headers: { embedOrigins: settings.embedOrigins, demo: hasDemo, https: settings.isHttps },
  files: settings.offlinePages ? files : withoutServiceWorker(files),
  demo: hasDemo ? await createDemo(services, origin) : undefined,
  log,
  observe: (record) => {
    log.request(record)
    metrics.observe(record)
  },
  metrics: { contentType: metrics.contentType, render: metrics.render, token: settings.metricsToken },
  limits: createRateLimits(rateCounter, settings.rateLimits),
  corsOrigins: settings.corsOrigins,
  trustedProxies: settings.trustedProxies,
}
for (const { server, roles } of servers) serve(server, compose(roles, services, site), site)
// Without a listener the signal would open the debugger, which reads all that the process holds.
process.on('SIGUSR1', () => log.note('the debugger stays closed'))
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
await Promise.all(servers.map((server) => server.listen()))
hasStarted()
announce({
  opensWithFormer,
  traits,
  tookBack,
  adminKeyInWebhooks: await services.accounts.anyWebhookCarriesAdmin(),
})

sweeping = sweep()
setInterval(() => {
  if (phase !== 'stopping') sweeping = sweep()
}, sweepEveryMilliseconds).unref()
if (analyses) void warmUp()

function announce(found: Parameters<typeof warningsOf>[2]): void {
  const [only, ...others] = servers
  if (others.length === 0 && only !== undefined) {
    console.log(`Selfsame is ready at ${serves('configuration') ? origin() : only.address()}/`)
  } else {
    for (const { address, roles } of servers)
      console.log(`Selfsame is ready at ${address()}/ (${roles.join(', ')})`)
  }
  console.log(`API key: ${firstAccount?.apiKey ?? 'was printed at the first start'}`)
  if (firstAccount !== undefined) console.log('This key is shown this once: keep it.')
  for (const line of firstAccount === undefined ? [] : provenanceOf(settings.pack)) console.log(line)
  if (hasDemo) console.log(`Demo: ${origin()}/demo`)
  const keyGoesToPipe = firstAccount !== undefined && process.stdout.isTTY !== true
  for (const { code, meaning } of warningsOf(settings, keyGoesToPipe, found)) {
    console.error(`WARN security ${code}: ${meaning}`)
  }
}

async function warmUp(): Promise<void> {
  while (isStarting()) {
    try {
      await pool.warmUp()
      if (isStarting()) phase = 'serving'
    } catch (error) {
      if (!isStarting()) return
      log.failure(error, 'The analysis could not start')
      await new Promise((over) => setTimeout(over, warmUpAgainAfterMilliseconds))
    }
  }
}

/** Sessions and their webhooks are of the configuration role: a process without it may have no way to their receivers. */
async function sweep(): Promise<void> {
  try {
    if (serves('configuration')) {
      await services.sessions.expireOverdue()
      await services.deliveries.resume()
    }
    await pictureMemory.catchUp()
    await services.recognition.finishErasures()
    await store.sweep()
  } catch (error) {
    log.failure(error, 'The sweep failed')
  }
}

/**
 * Takes nothing new, lets requests under way and then the webhooks finish for a while, and closes the store. What
 * is not sent by then stands recorded, and the next start sends it. A second signal ends at once.
 */
async function stop(): Promise<void> {
  if (phase === 'stopping') return endAtOnce()
  phase = 'stopping'
  log.note('stopping')
  await within(stopWithinMilliseconds, finish())
  for (const server of servers) server.cut()
  const hasEnded = await within(threadsEndWithinMilliseconds, analysis.close())
  await searchThreads.close()
  await store.close()
  await log.flush()
  if (!hasEnded) return endAtOnce()
  process.exit(0)
}

/** Whether the work was done in time. */
function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  const patience = new Promise<boolean>((over) => setTimeout(over, milliseconds, false).unref())
  return Promise.race([work.then(() => true), patience])
}

/** The store stands a kill. An orderly exit would have to wait for the networks, which may be loading just now. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}

async function finish(): Promise<void> {
  await Promise.all(servers.map((server) => server.finish()))
  await sweeping
  await services.deliveries.settle()
}
