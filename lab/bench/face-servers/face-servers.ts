import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, startChild } from '#lab/child.ts'
import { median, quantile } from '#lab/statistics/quantile.ts'
import { cosineOf } from '../../../models/rules/similarity.ts'
import { moveCollection } from '../../../server/features/recognition/transfer/move-collection.ts'
import { Problem } from '../../../shared/problem.ts'
import { type PostgresServer, startPostgresServer } from '../../../tests/support/programs/postgres-server.ts'
import { buildSides, fileOf } from '../built-sides.ts'
import type { Gallery } from '../search/gallery.ts'
import type { RivalMatch } from '../search/rival.ts'
import { drawnMates, type Mate } from './drawn-mates.ts'
import { accountId, collectionId, fillStore, type OpenDeployment, openDeployment } from './filled-servers.ts'
import { searchOrIndex } from './newcomer.ts'
import { newcomerSides, serverSettings } from './newcomer-sides.ts'
import type { Newcomers, NewcomersOrder } from './newcomers-side.ts'
import { halfvecScan } from './pgvector.ts'

interface SearchLoad {
  readonly gallery: Gallery
  readonly size: number
  /** The size as written in the figures' names. */
  readonly word: string
  /** The nearest face for each of the gallery's queries. */
  readonly truth: readonly RivalMatch[]
  /** The number of servers that store the faces. */
  readonly servers: number
  /** The in-memory index's p50, if it was measured. */
  readonly memoryP50Ms: number | undefined
}

const timedQueries = 100
const warmUp = 5
/** The number of queries for real people, and for drawn mates at each cosine. */
const realMates = 300
const [processes, callsAtOnce] = [3, 4]
const [warmUpMilliseconds, millisecondsOfNewcomers] = [15_000, 20_000]

/** Measures the index on PostgreSQL servers, filled from a store on the first of them as `npm run collection -- move` does it. */
export async function benchFaceServers(asked: SearchLoad): Promise<Record<string, number>> {
  await buildSides(newcomerSides)
  const { size, word, servers: count } = asked
  const servers: PostgresServer[] = []
  try {
    for (let i = 0; i < count; i++) servers.push(await startPostgresServer({ settings: serverSettings }))
    const addresses = { store: servers[0]!.address, servers: servers.map(({ address }) => address) }
    const deployment = await openDeployment(addresses, 'servers')
    console.log(
      `  ${count} PostgreSQL servers: filling the store with ${word} faces (load ${loadavg()[0]!.toFixed(1)})`,
    )
    const faceIds = await fillStore(deployment, asked.gallery, size)
    const measured: Record<string, number> = { servers: count }
    Object.assign(measured, await takenIn(deployment, asked))
    measured.bytesPerFace = (await bytesOf(servers)) / size
    console.log(`    ${Math.round(measured.bytesPerFace)} bytes per face, with indexes`)
    console.log('    the servers scan the codes')
    Object.assign(measured, await searched(deployment, asked, faceIds))
    Object.assign(measured, await scannedCodes(servers[0]!, word))
    await deployment.close()
    const codeCache = await openDeployment(addresses)
    await untilAtHand(codeCache, asked)
    for (const [name, value] of Object.entries(await searched(codeCache, asked, faceIds)))
      measured[`codeCache.${name}`] = value
    Object.assign(measured, await withPgvector(servers[0]!, asked, measured))
    if (count > 1) Object.assign(measured, await withoutOne(codeCache, servers, asked.gallery))
    await codeCache.close()
    Object.assign(measured, await newcomers(addresses, asked))
    return measured
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function takenIn({ access }: OpenDeployment, { size, word }: SearchLoad) {
  const started = performance.now()
  await moveCollection(access, { accountId, collectionId, to: 'postgres' })
  const seconds = (performance.now() - started) / 1000
  console.log(`    loaded within ${seconds.toFixed(0)} s: ${Math.round(size / seconds)} per second`)
  return { [`insertsPerSecondAt${word}`]: size / seconds, [`secondsToTakeInAt${word}`]: seconds }
}

async function bytesOf(servers: readonly PostgresServer[]): Promise<number> {
  let bytes = 0
  for (const server of servers) {
    const [row] = await server.sql(
      `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
        WHERE relnamespace = to_regnamespace('selfsame_eu_faces') AND relkind = 'r'`,
    )
    bytes += Number(row!.bytes)
  }
  return bytes
}

/** Searches until all codes have been loaded into memory. */
async function untilAtHand({ access, leftToServers }: OpenDeployment, { gallery, word }: SearchLoad) {
  const started = performance.now()
  for (let searches = 1; ; searches++) {
    const left = leftToServers()
    // Repeating the same search would reuse the previous result.
    await access.use(accountId, collectionId, async (collection) =>
      (await collection.gallery()).nearest(gallery.queries[0]!, 0.9 + searches / 1e6, 1),
    )
    if (leftToServers() === left) break
    await pause(100)
  }
  const seconds = (performance.now() - started) / 1000
  console.log(`    the process scans: the codes of ${word} are in memory after ${seconds.toFixed(1)} s`)
}

/** Compares this with a plain scan of all vectors, if pgvector is installed. */
async function withPgvector(server: PostgresServer, asked: SearchLoad, measured: Record<string, number>) {
  const { gallery, size, word } = asked
  const plain = await halfvecScan(server, gallery, size)
  if (plain === undefined) return {}
  const [onServers, codeCache] = [measured[`p50MsAt${word}`]!, measured[`codeCache.p50MsAt${word}`]!]
  console.log(
    `    which is ${(plain / onServers).toFixed(1)} times ours if servers scan, ${(plain / codeCache).toFixed(1)} times if the process does`,
  )
  return {
    [`halfvecP50MsAt${word}`]: plain,
    [`halfvecToOurs${word}`]: plain / onServers,
    [`halfvecToAtHand${word}`]: plain / codeCache,
  }
}

/** The duration and recall of searches: first for real people, then for mates drawn at certain cosines. */
async function searched({ access }: OpenDeployment, asked: SearchLoad, faceIds: readonly string[]) {
  const { gallery, truth, word, memoryP50Ms } = asked
  const least = cosineOf(80)
  const nearest = (query: Float32Array, most: number) =>
    access.use(accountId, collectionId, async (collection) =>
      (await collection.gallery()).nearest(query, least, most),
    )
  const milliseconds: number[] = []
  for (const [i, query] of gallery.queries.slice(0, timedQueries + warmUp).entries()) {
    const started = performance.now()
    await nearest(query, 1)
    if (i >= warmUp) milliseconds.push(performance.now() - started)
  }
  const [p50, p95] = [median(milliseconds), quantile(milliseconds, 0.95)]
  console.log(
    `    search at score 80: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${milliseconds.length}; load ${loadavg()[0]!.toFixed(1)}`,
  )
  const perMillionAndCore = (p50 * availableParallelism()) / (asked.size / 1e6)
  console.log(`    ${perMillionAndCore.toFixed(0)} ms for a million faces on one core`)
  if (memoryP50Ms !== undefined)
    console.log(
      `    ${(p50 / memoryP50Ms).toFixed(0)} times the p50 of the index in memory (${memoryP50Ms.toFixed(2)} ms)`,
    )

  const real = gallery.queries
    .map((query, i) => ({ query, ...truth[i]! }))
    .filter(({ cosine }) => cosine >= least)
  const mates = [...real.slice(0, realMates), ...(await drawnMates(gallery, asked.size))]
  const found = await recallOf(mates, async ({ query, face }) =>
    (await nearest(query, 2000)).some((near) => near.face.faceId === faceIds[face]),
  )
  return {
    [`p50MsAt${word}`]: p50,
    [`p95MsAt${word}`]: p95,
    [`p50MsPerMillionAndCoreAt${word}`]: perMillionAndCore,
    ...recallFigures(found, word),
  }
}

/** The number of mates and how many of them were found, by their cosine. */
type Recall = Map<number, { count: number; found: number }>

const bins = [0.6, 0.5, 0.45, 0]

async function recallOf(mates: readonly Mate[], isFound: (mate: Mate) => Promise<boolean>): Promise<Recall> {
  const recall: Recall = new Map(bins.map((bin) => [bin, { count: 0, found: 0 }]))
  for (const mate of mates) {
    const of = recall.get(bins.find((bin) => mate.cosine >= bin)!)!
    of.count++
    if (await isFound(mate)) of.found++
  }
  return recall
}

function recallFigures(recall: Recall, word: string): Record<string, number> {
  const figures: Record<string, number> = {}
  let [count, found] = [0, 0]
  for (const [bin, of] of recall) {
    const name = bin === 0 ? cosineOf(80).toFixed(3) : bin.toFixed(2)
    console.log(`    mates with a cosine of at least ${name}: ${of.found} of ${of.count} found`)
    figures[`recallOfMatesFrom${name}At${word}`] = of.found / of.count
    count += of.count
    found += of.found
  }
  return { ...figures, [`recallOfMatesAt${word}`]: found / count, [`recallOfMatesAt${word}.n`]: count }
}

/** Scans only the codes, on the first server. */
async function scannedCodes(server: PostgresServer, word: string): Promise<Record<string, number>> {
  const code = '10'.repeat(256)
  const took: number[] = []
  for (let i = 0; i < 10; i++) {
    const started = performance.now()
    await server.sql(
      'SET jit = off',
      'SET parallel_tuple_cost = 0',
      `SELECT count(*) FROM selfsame_eu_faces.codes_fr_feature_2 WHERE bit_count(code # B'${code}') <= 215`,
    )
    took.push(performance.now() - started)
  }
  console.log(
    `    the scan of the codes on the first server alone, with its connection: ${median(took).toFixed(0)} ms`,
  )
  return { [`codeScanMsAt${word}`]: median(took) }
}

/** Stops a server while searches are running, then starts it again. */
async function withoutOne(
  { access }: OpenDeployment,
  servers: readonly PostgresServer[],
  { queries }: Gallery,
): Promise<Record<string, number>> {
  const search = (i: number) =>
    outcomeOf(
      access.read(accountId, collectionId, (collection) =>
        collection.closest({ first: queries[i % queries.length]! }, 80 + i / 1000),
      ),
    )
  const revision = async () => (await access.find(accountId, collectionId))?.revision
  const revisionBefore = await revision()
  const underWay = Array.from({ length: 12 }, (_, i) => search(i))
  await servers.at(-1)!.kill()
  const outcomes = await Promise.all(underWay)
  const refused = await search(20)
  const [stranger] = queries.slice(-1)
  const newcomer = await outcomeOf(searchOrIndex(access, stranger!))
  const keptWithout = (await revision()) === revisionBefore ? 0 : 1
  const started = performance.now()
  await servers.at(-1)!.start()
  while ((await search(21 + Math.round(performance.now() - started))) !== 'found');
  const backMs = performance.now() - started
  const counted = [...new Set(outcomes)].map((one) => `${one} ${outcomes.filter((it) => it === one).length}`)
  console.log(
    `    one stopped during 12 searches: ${counted.join(', ')}; the next: ${refused}; search-or-index: ${newcomer}, ${keptWithout} kept; whole again ${backMs.toFixed(0)} ms after its start began`,
  )
  const wrong = outcomes.filter((one) => one !== 'found' && one !== 'search_incomplete').length
  const isRefused = refused === 'search_incomplete' && newcomer === 'search_incomplete'
  return {
    stoppedWrongAnswers: wrong,
    stoppedRefused: isRefused ? 1 : 0,
    keptWithoutServer: keptWithout,
    backMs,
  }
}

/** `found` if the call succeeds, otherwise its error code. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'found'
  } catch (error) {
    return error instanceof Problem ? error.code : 'failed'
  }
}

/** Calls search-or-index from several processes at once. */
async function newcomers(addresses: NewcomersOrder['addresses'], { gallery, word }: SearchLoad) {
  const order: NewcomersOrder = {
    ...{
      addresses,
      faceIndex: 'postgres',
      warmUpMilliseconds,
      milliseconds: millisecondsOfNewcomers,
      atOnce: callsAtOnce,
    },
    parts: gallery.queries.slice(0, 500),
  }
  const children = Array.from({ length: processes }, () =>
    startChild(fileOf(newcomerSides, 'newcomers-side')),
  )
  const answers = (await Promise.all(children.map((child) => ask(child, order)))) as Newcomers[]
  const seconds = millisecondsOfNewcomers / 1000
  for (const child of children) child.kill()
  const calls = answers.reduce((sum, one) => sum + one.calls, 0)
  const kept = answers.reduce((sum, one) => sum + one.kept, 0)
  const processorMs = answers.reduce((sum, one) => sum + one.processorMilliseconds, 0) / calls
  console.log(
    `    search-or-index from ${processes} processes: ${(calls / seconds).toFixed(1)} per second (${kept} of ${calls} kept), ${processorMs.toFixed(0)} ms of these processes per call; load ${loadavg()[0]!.toFixed(1)}`,
  )
  return {
    [`searchOrIndexPerSecondAt${word}`]: calls / seconds,
    [`searchOrIndexProcessorMsAt${word}`]: processorMs,
  }
}
