import { readFile } from 'node:fs/promises'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { ByteBudget } from '#server/platform/running/byte-budget.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import type { Connections } from '#server/platform/store/open-store.ts'
import type { SteadyStore } from '#server/platform/store/steady-store.ts'
import { storeFormat } from '#server/platform/store/store-stamp.ts'

/** In bytes. */
export interface Disk {
  /** The space available to non-root processes. */
  readonly free: number
  readonly size: number
}

/** Values that are read whenever the metrics are requested. */
export interface Sources {
  /** How many pictures are being analysed or waiting. */
  analysesUnderWay(): number
  parallelAnalyses(): number
  storeBytes(): Promise<number>
  /** A Redis server's memory limit; undefined if only the disk or the machine limits it. */
  storeMostBytes(): Promise<number | undefined>
  /** Connections to the store's server; undefined if it has none. */
  storeConnections?(): Connections | undefined
  /** Disk space, by the folder's purpose. */
  readonly disks: Readonly<Record<string, () => Promise<Disk>>>
  /** Like `readyz`: rejects if this process should not receive traffic. */
  ready(): Promise<unknown>
  /** As counted at startup. */
  unreadableCollections(): number
  /** True while the revoked device list matches its file; undefined without a list. */
  isRevocationListCurrent?(): boolean | undefined
  /** How many pictures may wait. */
  readonly queuePlaces: number
  readonly bytes: Pick<ByteBudget, 'mostBytes' | 'underWay' | 'refused'>
  readonly writes: Pick<SteadyStore, 'trouble' | 'failures'>
  /** How many seconds our clock is ahead of the store server's; undefined if there is no server or this is not known. */
  clockDriftInSeconds(): number | undefined
  /** The network pack's name. */
  readonly pack: string
}

type ReadFigure = () => number | undefined | Promise<number | undefined>

/** Adds the values that are read on request. An unreadable value becomes NaN and does not affect the others. */
export function addReadings(registers: Registry[], sources: Sources): void {
  const gauge = (name: string, help: string, read: ReadFigure) => addGauge(registers, name, help, read)
  const { queuePlaces, bytes, writes, disks } = sources
  const [underWay, parallel] = [sources.analysesUnderWay, sources.parallelAnalyses]
  gauge('ready', '1 while this process is ready for traffic, otherwise 0.', () =>
    sources.ready().then(
      () => 1,
      () => 0,
    ),
  )
  gauge('analysis_queue_length', 'Pictures waiting to be analysed.', () =>
    Math.max(0, underWay() - parallel()),
  )
  gauge('analyses_under_way', 'Pictures being analysed.', () => Math.min(underWay(), parallel()))
  gauge('analysis_queue_limit', 'Maximum number of pictures waiting to be analysed.', () => queuePlaces)
  gauge('memory_bytes', 'Resident memory without mapped files, such as the embedded store.', anonymousBytes)
  gauge('bytes_under_way', 'Bytes of bodies, fetched pictures and responses in memory.', bytes.underWay)
  gauge('bytes_under_way_limit', 'Maximum of these bytes.', () => bytes.mostBytes)
  addCount(
    registers,
    'bytes_refused_total',
    'Requests refused because their bytes did not fit.',
    bytes.refused,
  )
  gauge('store_bytes', 'Size of the store: on disk, or on a Redis or PostgreSQL server.', sources.storeBytes)
  gauge('store_limit_bytes', 'Memory limit of the Redis server.', sources.storeMostBytes)
  const connections = sources.storeConnections ?? (() => undefined)
  gauge('store_connections', 'Open connections to PostgreSQL.', () => connections()?.open)
  gauge('store_connections_busy', 'Connections to PostgreSQL in use.', () => connections()?.lent)
  gauge(
    'store_connections_awaited',
    'Callers waiting for a connection to PostgreSQL.',
    () => connections()?.waiting,
  )
  gauge('store_takes_writes', '1 while the store accepts writes, otherwise 0.', () =>
    writes.trouble() ? 0 : 1,
  )
  addCount(registers, 'store_write_failures_total', 'Writes that the store failed.', writes.failures)
  gauge(
    'clock_drift_seconds',
    'Seconds by which this clock is ahead of that of the store server.',
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
    '1 while the list of revoked devices matches its file, 0 while the last good one is used instead.',
    () => numberOf(isCurrent()),
  )
  addDisks(registers, disks)
  addBuild(registers, sources.pack)
}

/**
 * Excludes mapped files' pages, which the system may drop when it needs memory, so a large store is no cause for alarm.
 * Undefined on systems without /proc.
 */
async function anonymousBytes(): Promise<number | undefined> {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1]
  return kilobytes === undefined ? undefined : 1024 * Number(kilobytes)
}

function numberOf(flag: boolean | undefined): number | undefined {
  return flag === undefined ? undefined : Number(flag)
}

function addGauge(registers: Registry[], name: string, help: string, read: ReadFigure): void {
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

/** Skips disks that cannot be queried. */
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
  sized('disk_free_bytes', 'Free space on the disk of a folder.', ({ free }) => free)
  sized('disk_size_bytes', 'Size of the disk of a folder.', ({ size }) => size)
}

function addBuild(registers: Registry[], pack: string): void {
  const build = { version: productVersion, format: String(storeFormat), node: process.version, pack }
  const info = {
    name: 'selfsame_build_info',
    help: 'Always 1; the labels are the running version and the store format that it writes.',
    labelNames: Object.keys(build),
    registers,
  }
  new Gauge(info).set(build, 1)
}
