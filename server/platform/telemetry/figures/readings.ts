import { readFile } from 'node:fs/promises'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { ByteBudget } from '#server/platform/running/byte-budget.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import type { Connections } from '#server/platform/store/open-store.ts'
import type { SteadyStore } from '#server/platform/store/steady-store.ts'
import { storeFormat } from '#server/platform/store/store-stamp.ts'

/** In bytes. */
export interface Disk {
  /** What a process that is not root may still write. */
  readonly free: number
  readonly size: number
}

/** What is read when the figures are asked for. */
export interface Sources {
  /** Pictures that are analysed or wait for it. */
  analysesUnderWay(): number
  parallelAnalyses(): number
  storeBytes(): Promise<number>
  /** What a Redis server may hold; undefined where nothing but the disk or the machine bounds it. */
  storeMostBytes(): Promise<number | undefined>
  /** Connections to the server of the store; undefined where it tells of none. */
  storeConnections?(): Connections | undefined
  /** What a disk has, by what the folder on it is for. */
  readonly disks: Readonly<Record<string, () => Promise<Disk>>>
  /** As `readyz` says it: rejects where traffic may not be sent here. */
  ready(): Promise<unknown>
  /** As they were counted at the start. */
  unreadableCollections(): number
  /** True while the list of revoked devices is that of its file; undefined without a list. */
  isRevocationListCurrent?(): boolean | undefined
  /** How many pictures may wait. */
  readonly queuePlaces: number
  readonly bytes: Pick<ByteBudget, 'mostBytes' | 'underWay' | 'refused'>
  readonly writes: Pick<SteadyStore, 'trouble' | 'failures'>
  /** How far our clock is ahead of that of the store's server; undefined where there is none, or it is not known. */
  clockDriftInSeconds(): number | undefined
  /** The name of the pack of networks. */
  readonly pack: string
}

type Read = () => number | undefined | Promise<number | undefined>

/** Everything that is read when it is asked for. What cannot be read is not a number, and hides nothing else. */
export function addReadings(registers: Registry[], sources: Sources): void {
  const gauge = (name: string, help: string, read: Read) => addGauge(registers, name, help, read)
  const { queuePlaces, bytes, writes, disks } = sources
  const [underWay, parallel] = [sources.analysesUnderWay, sources.parallelAnalyses]
  gauge('ready', '1 while traffic may be sent here, else 0.', () =>
    sources.ready().then(
      () => 1,
      () => 0,
    ),
  )
  gauge('analysis_queue_length', 'Pictures that wait to be analysed.', () =>
    Math.max(0, underWay() - parallel()),
  )
  gauge('analyses_under_way', 'Pictures that are being analysed.', () => Math.min(underWay(), parallel()))
  gauge('analysis_queue_limit', 'Pictures that may wait to be analysed.', () => queuePlaces)
  gauge(
    'memory_bytes',
    'Resident memory without files that are mapped, of which the embedded store is one.',
    anonymousBytes,
  )
  gauge('bytes_under_way', 'Bytes of bodies, fetched pictures and answers that are held.', bytes.underWay)
  gauge('bytes_under_way_limit', 'Bytes that may be held of them.', () => bytes.mostBytes)
  addCount(registers, 'bytes_refused_total', 'What found no room among the bytes under way.', bytes.refused)
  gauge(
    'store_bytes',
    'The size of the store: on disk, or of what a Redis or PostgreSQL server holds.',
    sources.storeBytes,
  )
  gauge('store_limit_bytes', 'What the Redis server may hold.', sources.storeMostBytes)
  const connections = sources.storeConnections ?? (() => undefined)
  gauge('store_connections', 'Connections to PostgreSQL that are open.', () => connections()?.open)
  gauge('store_connections_busy', 'Those that work.', () => connections()?.lent)
  gauge('store_connections_awaited', 'What waits for one.', () => connections()?.waiting)
  gauge('store_takes_writes', '1 while the store takes writes, else 0.', () => (writes.trouble() ? 0 : 1))
  addCount(registers, 'store_write_failures_total', 'Writes that the store could not take.', writes.failures)
  gauge(
    'clock_drift_seconds',
    'How far the clock is ahead of that of the server that the store is on.',
    sources.clockDriftInSeconds,
  )
  gauge(
    'unreadable_collections',
    'Collections whose faces no loaded network can read, at the start.',
    sources.unreadableCollections,
  )
  const isCurrent = sources.isRevocationListCurrent ?? (() => undefined)
  gauge(
    'revoked_devices_current',
    '1 while the list of revoked devices is that of its file, 0 while the last good one is used instead.',
    () => numberOf(isCurrent()),
  )
  addDisks(registers, disks)
  addBuild(registers, sources.pack)
}

/**
 * The system may drop pages of mapped files whenever it needs the memory, so the size of a store is no reason to worry. Undefined on systems
 * without /proc.
 */
async function anonymousBytes(): Promise<number | undefined> {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1]
  return kilobytes === undefined ? undefined : 1024 * Number(kilobytes)
}

function numberOf(flag: boolean | undefined): number | undefined {
  return flag === undefined ? undefined : Number(flag)
}

function addGauge(registers: Registry[], name: string, help: string, read: Read): void {
  new Gauge({
    name: `selfsame_${name}`,
    help,
    registers,
    async collect() {
      this.set((await orUnknown(read)) ?? Number.NaN)
    },
  })
}

async function orUnknown<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}

function addCount(registers: Registry[], name: string, help: string, read: () => number): void {
  new Counter({
    name: `selfsame_${name}`,
    help,
    registers,
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

/** A disk that cannot be asked is left out. */
function addDisks(registers: Registry[], disks: Sources['disks']): void {
  const sized = (name: string, help: string, sizeOf: (disk: Disk) => number) =>
    new Gauge({
      name: `selfsame_${name}`,
      help,
      labelNames: ['for'],
      registers,
      async collect() {
        this.reset()
        for (const [use, read] of Object.entries(disks)) {
          const disk = await orUnknown(read)
          if (disk !== undefined) this.set({ for: use }, sizeOf(disk))
        }
      },
    })
  sized('disk_free_bytes', 'What may still be written to the disk of a folder.', ({ free }) => free)
  sized('disk_size_bytes', 'The size of that disk.', ({ size }) => size)
}

function addBuild(registers: Registry[], pack: string): void {
  const build = { version: productVersion, format: String(storeFormat), node: process.version, pack }
  const info = {
    name: 'selfsame_build_info',
    help: 'Always 1: what runs here, and the format of stores that it writes.',
    labelNames: Object.keys(build),
    registers,
  }
  new Gauge(info).set(build, 1)
}
