import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, freemem, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, startChild } from '#lab/child.ts'
import { Figures } from '#lab/evaluate/figures.ts'
import { printFigures } from '#lab/evaluate/print.ts'
import { populationMatch } from '#lab/evaluate/recognition/population-match.ts'
import { median } from '#lab/statistics/quantile.ts'
import { listOf, oneOf, refuse } from '../../build/usage.ts'
import { searchThreshold } from '../../models/rules/search-threshold.ts'
import { cosineOf } from '../../models/rules/similarity.ts'
import { buildSides, fileOf } from './built-sides.ts'
import { type Gallery, writeGallery } from './search/gallery.ts'
import { judge, type RivalFigures } from './search/judge.ts'
import { peopleOf } from './search/people.ts'
import { threadsToHold } from './search/product.ts'
import type { RivalKind, RivalMatch } from './search/rival.ts'
import { type RivalName, rivalNames, rivals } from './search/rivals.ts'
import type { LeftOut, Order, SideFigures } from './search/side.ts'
import { searchSides } from './search/sides.ts'
import type { OpeningTime, StoreOrder } from './search/store-side.ts'
import { truthOf } from './search/truth.ts'

export interface SearchOptions {
  /** Such as `10k,1M`. Defaults to 10k,100k,1M. */
  readonly sizes?: string | undefined
  /** The names of rivals. Defaults to all. */
  readonly rivals?: string | undefined
  /** The sizes to load from a store. Defaults to the largest; `none` loads nothing. */
  readonly load?: string | undefined
  /** A folder with labelled pictures. */
  readonly data?: string | undefined
  /** `postgres`: the index on PostgreSQL servers in addition to the one in memory. `moved`: moves the index there and back during calls. */
  readonly index?: string | undefined
  /** The number of servers that store the faces. Defaults to one. */
  readonly servers?: string | undefined
}

const seed = 1
const matchScore = 80
const matching = cosineOf(matchScore)
const millisecondsPerRound = 60_000
const loads = 3
/** For the face's code, its id, and the key that maps to the id. */
const bytesOfOneRecord = 400
const millisecondsToFill = 300_000

/**
 * Searches among real people, and synthetic people who resemble them. The queries are pictures of real people, half of whom are enrolled with a
 * different picture. All rivals answer the same queries in separate processes, one after another.
 */
export async function benchSearch(options: SearchOptions): Promise<Record<string, number>> {
  await buildSides(searchSides)
  const sizes = sizesOf(options.sizes ?? '10k,100k,1M')
  const names = listOf(rivalNames, options.rivals).map((word) => oneOf('--rivals', rivalNames, word))
  const { samples, isReal } = await peopleOf(options.data ?? '../shared/data/recognition/lfw', seed)
  const figures = new Figures()
  if (!isReal) figures.note('There are no labelled pictures at hand: every face is invented.')
  for (const table of populationMatch(samples, seed)) figures.table(table)
  printFigures(`${samples.personCount} people, ${samples.count} pictures`, figures, console.log)

  const folder = await mkdtemp(join(tmpdir(), 'selfsame-search-'))
  try {
    const gallery = await writeGallery(join(folder, 'faces'), samples, sizes.at(-1)!, seed)
    describe(gallery)
    const truth = await truthOf(gallery, sizes)
    const measured: Record<string, number> = { queries: gallery.queries.length }
    if (options.index !== undefined)
      return { ...measured, ...(await onServers(gallery, sizes, truth, options)) }
    for (const [i, size] of sizes.entries())
      Object.assign(measured, await measureSize(gallery, size, names, truth[i]!))
    const loaded =
      options.load === 'none' ? [] : options.load === undefined ? sizes.slice(-1) : sizesOf(options.load)
    for (const size of loaded) Object.assign(measured, await timeToLoad(gallery, size, folder))
    return measured
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The index on PostgreSQL servers with the same faces and queries, after the one in memory. */
async function onServers(
  gallery: Gallery,
  sizes: readonly number[],
  truth: readonly RivalMatch[][],
  { index, servers = '1' }: SearchOptions,
): Promise<Record<string, number>> {
  const kind = oneOf('--index', ['postgres', 'moved'], index)
  const count = Number(servers)
  if (!(count >= 1 && count <= 8)) refuse('--servers takes a number from 1 to 8.')
  const { benchFaceServers } = await import('./face-servers/face-servers.ts')
  const measured: Record<string, number> = {}
  for (const [i, size] of sizes.entries()) {
    const word = wordOf(size)
    if (kind === 'moved') {
      const { benchMoves } = await import('./face-servers/moving.ts')
      Object.assign(measured, await benchMoves(gallery, size, word))
      continue
    }
    const memory = await measureSize(gallery, size, ['product'], truth[i]!)
    for (const [figure, value] of Object.entries(memory)) measured[`memory.${figure}`] = value
    const asked = { gallery, size, word, truth: truth[i]!, servers: count }
    Object.assign(measured, await benchFaceServers({ ...asked, memoryP50Ms: memory[`p50MsAt${word}`] }))
  }
  return measured
}

async function measureSize(
  gallery: Gallery,
  size: number,
  names: readonly RivalName[],
  truth: readonly RivalMatch[],
): Promise<Record<string, number>> {
  const reaching = truth.filter(({ cosine }) => cosine >= matching).length
  console.log(`\n${wordOf(size)} faces: ${reaching} of ${truth.length} queries have a face that reaches 80`)
  const measured: Record<string, number> = {}
  for (const name of names) Object.assign(measured, await measureRival(gallery, size, name, truth))
  addRatio(measured, size)
  return measured
}

async function measureRival(
  gallery: Gallery,
  size: number,
  name: RivalName,
  truth: readonly RivalMatch[],
): Promise<Record<string, number>> {
  const { title, hasThreads }: RivalKind = rivals[name]
  const [prefix, word] = [name === 'product' ? '' : `${name}.`, wordOf(size)]
  const measured: Record<string, number> = {}
  const own = searchThreshold(size).score
  const scores = name === 'product' ? [matchScore, own] : [matchScore]
  const threads = name === 'product' ? threadsToHold(size, gallery.length) : 1
  if (name === 'product' && !fitsInMemory(size, gallery.length, threads)) return {}
  const answered = await answersOf(gallery, size, name, threads, scores)
  if ('wouldTakeMs' in answered) {
    console.log(
      `  ${title}: skipped, filling it would take ${Math.round(answered.wouldTakeMs / 60_000)} minutes`,
    )
    return {}
  }
  const { insertMs, bytes, rounds } = answered
  measured[`${prefix}insertsPerSecondAt${word}`] = size / (insertMs / 1000)
  // The largest gallery comes last, so its figure is the one that remains.
  measured[`${prefix}bytesPerFace`] = bytes / size
  console.log(
    `  ${title}: ${Math.round((1000 * size) / insertMs)} inserts per second, ${Math.round(bytes / size)} bytes per face`,
  )

  const [matched, searched] = rounds.map((round, i) => judge(round, truth, cosineOf(scores[i]!)))
  show(threads === 1 ? 'one thread' : `${threads} threads`, matched!)
  for (const [figure, value] of Object.entries(matched!)) measured[`${prefix}${figure}At${word}`] = value
  if (searched !== undefined) {
    show(`at the score of a search (${own.toFixed(1)})`, searched)
    measured[`p50MsOfSearchScoreAt${word}`] = searched.p50Ms
    measured[`recallAt1OfSearchScoreAt${word}`] = searched.recallAt1
  }
  if (hasThreads && threads === 1) {
    const byTwo = await answersOf(gallery, size, name, 2, [matchScore])
    if ('wouldTakeMs' in byTwo) return measured
    const twice = judge(byTwo.rounds[0]!, truth, matching)
    show('two threads', twice)
    measured[`${prefix}p50MsTwoThreadsAt${word}`] = twice.p50Ms
    measured[`${prefix}insertsPerSecondTwoThreadsAt${word}`] = size / (byTwo.insertMs / 1000)
  }
  return measured
}

/** If a process needs more memory than the machine has, the system kills it, along with the bench. */
function fitsInMemory(size: number, length: number, threads: number): boolean {
  const needed = size * (length * Float32Array.BYTES_PER_ELEMENT + bytesOfOneRecord)
  const there = freemem()
  if (threads > 1)
    console.log(
      `  the index in memory: one thread is too small for the faces, so ${threads} threads hold them`,
    )
  if (needed <= there) return true
  const [gigabytes, left] = [needed, there].map((bytes) => (bytes / 1e9).toFixed(1))
  console.log(`  the index in memory: skipped, it would take ${gigabytes} GB and the machine has ${left}`)
  return false
}

async function answersOf(
  { file, length, queries }: Gallery,
  size: number,
  rival: RivalName,
  threads: number,
  scores: readonly number[],
): Promise<SideFigures | LeftOut> {
  const child = startChild(fileOf(searchSides, 'side'))
  try {
    const order: Order = {
      ...{ rival, file, length, size, threads, scores, queries },
      milliseconds: millisecondsPerRound,
      insertMilliseconds: rival === 'product' ? Number.POSITIVE_INFINITY : millisecondsToFill,
    }
    return (await ask(child, order)) as SideFigures | LeftOut
  } finally {
    child.kill()
  }
}

function addRatio(measured: Record<string, number>, size: number): void {
  const word = wordOf(size)
  const [own, scan] = [measured[`p50MsAt${word}`], measured[`fullScan.p50MsAt${word}`]]
  if (scan === undefined) return
  measured[`fullScanMsAt${word}`] = scan
  if (own !== undefined) measured[`fullScanRatioAt${word}`] = scan / own
}

/**
 * The time from a store on disk to the first search's answer, as the median over several processes. The first search also has to allocate the
 * memory.
 */
async function timeToLoad(
  { file, length, queries }: Gallery,
  size: number,
  folder: string,
): Promise<Record<string, number>> {
  const place = join(folder, `store-${wordOf(size)}`)
  const inChild = async (order: StoreOrder) => {
    const child = startChild(fileOf(searchSides, 'store-side'))
    try {
      return (await ask(child, order)) as OpeningTime
    } finally {
      child.kill()
    }
  }
  await inChild({ folder: place, fill: { file, length, size } })
  const took: OpeningTime[] = []
  for (let i = 0; i < loads; i++) took.push(await inChild({ folder: place, query: queries[0]! }))
  await rm(place, { recursive: true, force: true })
  const word = wordOf(size)
  console.log(`  ${word} loaded in ${took.map(({ ms }) => (ms / 1000).toFixed(1)).join(', ')} s`)
  return {
    [`loadMsAt${word}`]: median(took.map(({ ms }) => ms)),
    [`loadBusyUsPerFaceAt${word}`]: (median(took.map(({ busyMs }) => busyMs)) * 1000) / size,
  }
}

function show(title: string, { p50Ms, p95Ms, p99Ms, queries, recallAt1, falseFinds }: RivalFigures): void {
  const times = [p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(2)).join(' / ')
  console.log(
    `    ${title}: ${times} ms (p50 / p95 / p99 of ${queries}), recall ${recallAt1.toFixed(4)}, ${falseFinds} false finds`,
  )
}

function describe({ queries }: Gallery): void {
  console.log(`\n${queries.length} queries, half of them people who are enrolled with another picture`)
  console.log(
    `Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0]!.toFixed(1)}`,
  )
}

/** In ascending order. */
function sizesOf(words: string): number[] {
  return words
    .split(',')
    .map((word) => {
      const found = /^(\d+)(k|M)$/.exec(word)
      if (found === null) return refuse(`A size is written as 10k or 1M, not "${word}".`)
      return Number(found[1]) * (found[2] === 'k' ? 1000 : 1_000_000)
    })
    .sort((a, b) => a - b)
}

function wordOf(size: number): string {
  return size % 1_000_000 === 0 ? `${size / 1_000_000}M` : `${size / 1000}k`
}
