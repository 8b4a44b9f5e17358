import { countOf } from '../../../server/platform/store/counts.ts'
import { openRedisStore } from '../../../server/platform/store/drivers/redis.ts'
import type { Clock } from '../../../server/platform/store/store.ts'
import {
  type LeftBehindKind,
  leftBehind,
  mostLeftBehind,
  shareOfAddress,
} from '../../../shared/left-behind.ts'
import type { Host } from '../../../tests/support/host.ts'
import { addedTo, holdingOf } from '../../../tests/support/left-behind/store-difference.ts'
import { type StrangersCall, strangersCalls } from '../../../tests/support/left-behind/strangers.ts'
import { startProvider } from '../../../tests/support/openid/site.ts'
import { startRedisServer } from '../../../tests/support/programs/redis-server.ts'
import { benchCrowdedRedis } from './crowded-redis.ts'

/** The default for `RATE_LIMIT_INITS`. */
const openingsAMinute = 30
/** Redis allocates memory in chunks, so several calls are measured together. */
const calls = 10
const minute = 60

/** The traces that a single call leaves behind. */
interface RouteFigures {
  readonly route: string
  readonly leaves: LeftBehindKind
  /** Redis memory. */
  readonly bytesPerCall: number
  readonly secondsKept: number
  readonly mostBytesPerAddress: number
}

/**
 * `npm run bench -- left-behind`: for each route, measures how much Redis memory a call without a credential takes up with the largest request that
 * the route accepts, and for how long. Computes the maximum for a single address with the default limits. Then sends 1,200 calls to the OpenID
 * provider without any limit, on a 100 MB Redis, which has to keep working.
 */
export async function benchLeftBehind(): Promise<Record<string, number>> {
  const all = await measureRoutes()
  const most = mostOfAll(all)
  print(all, most)
  const figures = all.flatMap(({ route, bytesPerCall, secondsKept, mostBytesPerAddress }) => [
    [`leftBehind.${nameOf(route)}.bytesPerCall`, Math.round(bytesPerCall)],
    [`leftBehind.${nameOf(route)}.secondsKept`, Math.round(secondsKept)],
    [`leftBehind.${nameOf(route)}.mostBytesPerAddress`, Math.round(mostBytesPerAddress)],
  ])
  return {
    ...Object.fromEntries(figures),
    'leftBehind.all.mostBytesPerAddress': Math.round(most),
    'leftBehind.limit.mostBytesByRoute': mostLeftBehind.byRoute,
    'leftBehind.limit.mostBytesByAll': mostLeftBehind.byAll,
    ...(await benchCrowdedRedis()),
  }
}

/** A route's name as used in a figure's name. */
function nameOf(route: string): string {
  return route.replace(/[^\w/:.-]+/g, '-')
}

async function measureRoutes(): Promise<readonly RouteFigures[]> {
  let now: Clock = Date.now
  const server = await startRedisServer()
  const store = await openRedisStore(server.address, { tag: 'bench', now: () => now(), onFailure: fail })
  const host = await startProvider({ store, ports: { openingsAMinute: 100_000, attemptLimit: 1000 } })
  now = host.now
  const measured: RouteFigures[] = []
  for (const call of await strangersCalls(host)) measured.push(await measure(host, store, call))
  await host.close()
  await store.close()
  await server.stop()
  return measured
}

function fail(error: unknown): never {
  throw error
}

type MeasuredStore = Pick<Awaited<ReturnType<typeof openRedisStore>>, 'server' | 'list'>

async function measure(
  host: Host,
  store: MeasuredStore,
  { route, leaves, prepare }: StrangersCall,
): Promise<RouteFigures> {
  const first = await prepare()
  const before = await holdingOf(store)
  await finish(host, first)
  const { seconds: secondsKept } = addedTo(before, await holdingOf(store), host.now())
  const prepared = []
  for (let i = 0; i < calls; i++) prepared.push(await prepare())
  const [bytes, charged] = [await store.server.bytes(), await chargedBytes(store)]
  for (const one of prepared) await finish(host, one)
  const bytesPerCall = Math.max(0, (await store.server.bytes()) - bytes) / calls
  const chargedPerCall = ((await chargedBytes(store)) - charged) / calls
  const left = { bytesPerCall, secondsKept }
  return { route, leaves, ...left, mostBytesPerAddress: mostBy(leaves, left, chargedPerCall) }
}

type PreparedCall = Awaited<ReturnType<StrangersCall['prepare']>>

async function finish(host: Host, call: PreparedCall): Promise<void> {
  const { status } = await call()
  if (status >= 500) throw new Error(`A call was answered with ${status}.`)
  await host.services.auditLog.move('all')
}

/** The total of all addresses' charges. */
async function chargedBytes(store: Pick<MeasuredStore, 'list'>): Promise<number> {
  let bytes = 0
  for await (const { value } of store.list('left-behind/')) bytes += countOf(value)
  return bytes
}

/**
 * Limited by the rate of openings or by an address's share. Exceeds the share if a call leaves behind more than it is charged for. A call without a
 * charge belongs to a session that was charged earlier.
 */
function mostBy(
  kind: LeftBehindKind,
  { bytesPerCall, secondsKept }: Pick<RouteFigures, 'bytesPerCall' | 'secondsKept'>,
  chargedPerCall: number,
): number {
  const { boundBy } = leftBehind[kind]
  if (boundBy === 'share') {
    const excess = chargedPerCall > 0 ? Math.max(1, bytesPerCall / chargedPerCall) : 1
    return shareOfAddress(openingsAMinute) * excess
  }
  return bytesPerCall * openingsAMinute * (Math.ceil(secondsKept / minute) + 1)
}

/** Each limit covers everything of the same kind that is left behind. The kinds are added up. */
function mostOfAll(all: readonly RouteFigures[]): number {
  const byKind = new Map<LeftBehindKind, number>()
  for (const { leaves, mostBytesPerAddress } of all)
    byKind.set(leaves, Math.max(byKind.get(leaves) ?? 0, mostBytesPerAddress))
  return [...byKind.values()].reduce((sum, bytes) => sum + bytes, 0)
}

function print(all: readonly RouteFigures[], most: number): void {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`
  console.table(
    all.map(({ route, bytesPerCall, secondsKept, mostBytesPerAddress }) => ({
      route,
      'bytes per call': Math.round(bytesPerCall),
      'seconds kept': Math.round(secondsKept),
      'maximum per address': megabytes(mostBytesPerAddress),
      limit: megabytes(mostLeftBehind.byRoute),
    })),
  )
  console.log(
    `All routes together: ${megabytes(most)} per address, limit ${megabytes(mostLeftBehind.byAll)}.`,
  )
}
