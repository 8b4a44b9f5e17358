import { mkdir, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createAnalysisPool, queuePlacesOf, startWorkerThread } from '#server/features/analysis/analysis.ts'
import { openHeads, tellOfRolledBack } from '#server/features/audit/audit.ts'
import { notePackUse, requireInstalled } from '#server/features/packs/packs.ts'
import {
  type UnreadableCollection,
  unreadableWords,
  warmCollections,
} from '#server/features/recognition/recognition.ts'
import { createRateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { createAllowList } from '#server/platform/http/outbound/allow-list.ts'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import { createBase64Thread } from '#server/platform/http/requests/base64/base64-thread.ts'
import { readDocuments } from '#server/platform/http/responses/documents.ts'
import { serve } from '#server/platform/http/responses/serve.ts'
import { listStaticFiles, withoutServiceWorker } from '#server/platform/http/responses/static-files.ts'
import { createListeningServer } from '#server/platform/listening/listening-server.ts'
import { endAtOnce, stopInTime } from '#server/platform/listening/stopping.ts'
import { createByteBudget } from '#server/platform/running/byte-budget.ts'
import { explainFailedStart } from '#server/platform/running/failed-start.ts'
import { ownFilesOf } from '#server/platform/running/own-files.ts'
import type { Phase } from '#server/platform/running/phase.ts'
import { openStore, troublesOf } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { createMetrics } from '#server/platform/telemetry/figures/metrics.ts'
import { openLog } from '#server/platform/telemetry/open-log.ts'
import { openTraces } from '#server/platform/telemetry/traces/open-traces.ts'
import { firstAccountName } from '#shared/contract/account/display-name.ts'
import type { Role } from '#shared/hosts.ts'
import { announceAddresses, announceKey, placeLines } from './announcement.ts'
import { openAuditPlace } from './audit-place.ts'
import { readStartWords } from './command/start-words.ts'
import { composeServices } from './compose.ts'
import { createDemo } from './demo/demo.ts'
import { openDeviceTrust } from './device-trust.ts'
import { evidencePlace } from './evidence-place.ts'
import { createFaceSearch } from './face-search.ts'
import { disksOf } from './figures/disk.ts'
import { measured } from './figures/measured-analysis.ts'
import { storeFillOf } from './figures/store-fill.ts'
import { inTurn } from './passes/look-up.ts'
import { findInStore } from './passes/store-findings.ts'
import { createUnreadableRecords } from './passes/unreadable-records.ts'
import { compose, type Site } from './serving/compose.ts'
import { readSettings, readTrialSettings } from './settings.ts'
import { warmUp } from './warm-up.ts'
import { sizeWarnings } from './warnings/face-warnings.ts'
import { warningsOf } from './warnings/warnings.ts'

const words = readStartWords(process.argv.slice(2))
const sweepEveryMilliseconds = 30_000
const own = ownFilesOf(fileURLToPath(import.meta.url))

const hasStarted = explainFailedStart()
const settings = words.https ? readTrialSettings() : readSettings()
const budget = createByteBudget(settings.mostBytesUnderWay)
const metrics = createMetrics({
  analysesUnderWay: () => analysis.underWay(),
  parallelAnalyses: () => pool.parallel,
  queuePlaces: queuePlacesOf(settings.analysisThreads),
  storeBytes: () => opened.bytes(),
  storeMostBytes: () => opened.mostBytes(),
  storeConnections: () => opened.connections(),
  disks: disksOf(settings),
  ready: () => services.readyz({ query: undefined, body: undefined, caller: undefined }),
  unreadableCollections: () => unreadable.length,
  isRevocationListCurrent: () => devices.revokedDevices?.isCurrent(),
  bytes: budget,
  writes: { trouble: () => opened.writes.trouble(), failures: () => opened.writes.failures() },
  clockDriftInSeconds: () => opened.clock?.driftInSeconds(),
  pack: settings.pack.name,
})
const log = openLog(settings.logLevel, metrics)
const { upkeep } = settings
const traces = await openTraces(upkeep.traces, (error) => log.failure(error, 'Traces could not be sent'))
const devices = await openDeviceTrust(upkeep, log)
await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
const trial = words.https ? await startTrial() : undefined
const packUse = await notePackUse(settings.pack.name, settings.packsDir)
await requireInstalled(settings.pack.name, settings.packsDir, own.weights)
const onStoreFailure = (error: unknown) => log.failure(error, 'The store failed')
const opened = await openStore(settings, onStoreFailure, {
  onNote: log.note,
  onOperation: metrics.storeTook,
  onLost: (error) => log.endWith(error, 'The store is lost until it is reopened: the process ends'),
})
const { rateCounter, traits, clock } = opened
const auditPlace = await openAuditPlace(settings, opened.rows, onStoreFailure)
const unreadableRecords = createUnreadableRecords(metrics.tally, log.failure)
const { keyRing, store, opensWithFormer } = await openKeyRing(opened.store, settings, {
  onUnreadable: unreadableRecords.tell,
  journalRows: auditPlace.journalRows,
})

const onPortFailure = (error: unknown) => log.failure(error, 'A port failed')
const servers = settings.listeners.map((listener) =>
  createListeningServer(listener, settings.host, onPortFailure, trial),
)
const serves = (role: Role) => servers.some(({ roles }) => roles.includes(role))
const addressOf = (role: Role) => (servers.find(({ roles }) => roles.includes(role)) ?? servers[0]!).address()
const origin = () => settings.configurationUrl ?? addressOf('configuration')
const issuer = () => settings.securityUrl ?? addressOf('security')
const analyses = servers.some(({ roles }) => roles.some((role) => role !== 'security'))
let phase: Phase = 'starting'
const isStarting = () => phase === 'starting'
let unreadable: readonly UnreadableCollection[] = []
let sweeping = Promise.resolve()

const pool = createAnalysisPool({
  threads: settings.analysisThreads,
  startWorker: () => startWorkerThread(own.analysisWorker, settings.pack, settings.packsDir),
  pieceTimeoutInMilliseconds: 8_000,
  patienceInMilliseconds: 10_000,
  onFailure: (error) => log.failure(error, 'An analysis worker failed'),
})
const { searchWorker } = own
const faceSearch = createFaceSearch({ settings, searchWorker, log, onSearch: metrics.searched })
const analysis = measured(pool, (outcome, duration) => metrics.analysisEnded(outcome, duration))
const { headSender, reportedOutside, reportedBefore } = await openHeads(
  upkeep.auditHeads,
  keyRing,
  (error) => log.failure(error, 'The head of an audit log could not be reported'),
  (head) => log.record({ auditHead: head }, 'audit head'),
)
const services = composeServices({
  auditSegments: auditPlace.segments,
  onAuditHead: headSender.tell,
  reportedOutside,
  store,
  keyRing,
  analysis,
  decodeBase64: createBase64Thread(own.base64Worker),
  outbound: createOutbound({
    allowLoopback: settings.webhookAllowLoopback,
    alsoGetFrom: createAllowList(settings.imageUrlAllow),
  }),
  now: Date.now,
  origin,
  issuer,
  region: settings.region,
  ...devices,
  pack: settings.pack,
  challengeActions: settings.challengeActions,
  openingsAMinute: settings.rateLimits.inits,
  ...{ attemptLimit: settings.attemptLimit, forgeryLimit: settings.forgeryLimit },
  embedOrigins: settings.embedOrigins,
  openid: upkeep.openid,
  isOpenidProvider: upkeep.isOpenidProvider,
  webhookRetryAfterInMilliseconds: 1000,
  collectionLimit: settings.collectionLimit,
  ...faceSearch.ports,
  tally: metrics.tally,
  blobs: evidencePlace(settings, keyRing, opened.blobs),
  onEvidenceLost: (error) => log.failure(error, 'Pictures could not be kept for a review'),
  onEarlyLost: (error) => log.failure(error, 'Pictures that were handed in could not be analysed'),
  ...{ phase: () => phase, storeFill: () => storeFillOf(opened, settings) },
  unreadableCollections: () => unreadable.length,
  troubles: () => troublesOf(opened),
  onStoreHint: opened.onHint,
  onFailure: (error, id) => log.failure(error, 'An entry could not be added to the audit log', id),
})

const firstAccount = await services.accounts.createOnce('first', firstAccountName, {
  apiKey: upkeep.firstApiKey,
  hasWebhookKey: upkeep.hasWebhookKey,
})
announceKey(settings, firstAccount)
const files = await listStaticFiles(settings.webDir ?? own.builtPages)
if (settings.webDir !== undefined && !files.has('/index.html')) {
  throw new Error(`WEB_DIR (${settings.webDir}) contains no built page.`)
}
const hasDemo = settings.demo && serves('configuration')
const site: Site = {
  headers: { embedOrigins: settings.embedOrigins, demo: hasDemo, https: settings.isHttps },
  files: settings.offlinePages ? files : withoutServiceWorker(files),
  documents: await readDocuments(own.documents),
  demo: hasDemo ? await createDemo(services, origin) : undefined,
  log,
  observe: (record) => {
    log.request(record)
    metrics.observe(record)
  },
  metrics: { contentType: metrics.contentType, render: metrics.render, token: settings.metricsToken },
  limits: createRateLimits(rateCounter, settings.rateLimits),
  budget,
  corsOrigins: settings.corsOrigins,
  trustedProxies: settings.trustedProxies,
}
for (const { server, roles } of servers) serve(server, compose(roles, services, site), site)
// Without a listener, this signal would open the debugger, which can read all of the process's memory.
process.on('SIGUSR1', () => log.note('the debugger stays closed'))
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop())
await Promise.all(servers.map((server) => server.listen()))
hasStarted()
const onLookUpFailure = (error: unknown) =>
  log.failure(error, 'The findings of the start could not be looked up')
const inStore = await findInStore(services, {
  settings,
  isConfiguration: serves('configuration'),
  mayPrintCode: process.stdout.isTTY === true || upkeep.printConsoleCode,
  onFailure: onLookUpFailure,
})
const { aboutConsole } = inStore
announceAddresses(servers, serves('configuration') ? origin() : undefined, hasDemo, aboutConsole?.lines ?? [])
for (const line of placeLines(settings, { ofServer: opened.blobs, auditPlace, devices })) console.log(line)
if (trial !== undefined) console.log(trial.wordsFor(`${origin()}/${hasDemo ? 'demo' : ''}`))
const keyGoesToPipe =
  firstAccount !== undefined && upkeep.firstApiKey === undefined && process.stdout.isTTY !== true
const found = {
  ...{ opensWithFormer, traits, auditPlace, clock },
  ...inStore,
  consoleTrouble: aboutConsole?.trouble,
  dataDirIsOpen: ((await stat(settings.dataDir)).mode & 0o077) !== 0,
  servesTls: trial !== undefined,
  node: process.versions.node,
}
for (const { code, meaning } of warningsOf(settings, keyGoesToPipe, found)) log.warning(code, meaning)

const { accounts, recognition } = services
const { embeddingModel } = settings.pack
unreadable = inStore.unreadable
if (unreadable.length > 0) log.warning('collections_unreadable', unreadableWords(unreadable, embeddingModel))

for (const trouble of await faceSearch.troubles()) log.warning('index_server_away', trouble)

services.auditMover.start()
void tellOfRolledBack({ ...services, keyRing, targets: upkeep.auditHeads, headSender }, reportedBefore, log)
sweeping = inTurn([tellOfOutgrown, sweep], onLookUpFailure)
setInterval(() => {
  if (phase !== 'stopping') sweeping = sweep()
}, sweepEveryMilliseconds).unref()
const onColdFailure = (error: unknown) => log.failure(error, 'The server could not be warmed up')
void warmUp(warm, isStarting, onColdFailure).then(() => {
  if (isStarting()) phase = 'serving'
})

/** Certificate generation is loaded only when it is used. */
async function startTrial() {
  const { prepareTrial } = await import('#server/platform/listening/https/trial.ts')
  return prepareTrial(settings.dataDir, settings.host)
}

async function warm(): Promise<void> {
  if (analyses) await pool.warmUp()
  if (!serves('configuration') && !serves('face-recognition') && !serves('verify')) return
  const missing = await warmCollections(accounts, recognition.access, upkeep.warmCollections, onColdFailure)
  if (missing.length > 0)
    log.warning('warm_unknown', `WARM_COLLECTIONS names collections that do not exist: ${missing}.`)
}

/** Counts faces, which takes a while in large deployments, so startup does not wait for it. */
async function tellOfOutgrown(): Promise<void> {
  const found = serves('configuration') ? await services.verifications.outgrown() : []
  for (const { code, meaning } of sizeWarnings(found)) log.warning(code, meaning)
}

/** Only the configuration role handles sessions and their webhooks. Other processes may be unable to reach the receivers. */
async function sweep(): Promise<void> {
  const { expireOverdue, expireDenied, shortenHistory, deliveries, attention } = services
  const ofSessions = [expireOverdue, expireDenied, shortenHistory, deliveries.resume, attention.announce]
  await inTurn(
    [
      ...(serves('configuration') ? ofSessions : []),
      services.catchUpPictures,
      services.evidence.sweep,
      services.recognition.finishErasures,
      async () => clock?.check(),
      store.sweep,
      packUse.renew,
    ],
    (error) => log.failure(error, 'The sweep failed'),
  )
}

/** A second signal ends the process immediately. */
async function stop(): Promise<void> {
  if (phase === 'stopping') return endAtOnce()
  phase = 'stopping'
  log.note('stopping')
  await stopInTime({
    drainInMilliseconds: upkeep.drainInMilliseconds,
    servers,
    async settle() {
      await Promise.all([sweeping, services.finishEarly()])
      await services.deliveries.settle()
      await services.auditMover.stop()
      await Promise.all([headSender.flush(), services.requestLog.flush(), services.evidence.stop()])
    },
    endAnalysis: () => analysis.close(),
    async close() {
      await faceSearch.close()
      await packUse.end()
      await auditPlace.close()
      await store.close()
      await traces.close()
      await log.flush()
    },
  })
}
