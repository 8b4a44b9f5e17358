import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '#lab/statistics/quantile.ts'
import { detectFaces } from '../../../shared/contract/analysis/face-verification.ts'
import { getUtcNow } from '../../../shared/contract/security/security.ts'
import { createSession } from '../../../shared/contract/sessions/session-creation.ts'
import { Problem } from '../../../shared/problem.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { astronaut, bytesOf } from '../../../tests/support/upload.ts'
import { allocatorOfImage } from '../allocator.ts'
import { type Caller, callerOf } from '../caller.ts'
import type { FloodOutcome, FloodPlan } from './flooding.ts'

/** Limits that apply with the default settings. */
const floodLimits = { residentPeakMiB: 600, otherAccountP95Ratio: 5, otherAccountRefused: 0 } as const
/** The memory per process that docs/operate.md recommends. */
const containerMiB = 768

/**
 * The limits for each version. The short one only makes about fifty calls and does not judge how long they wait, because their p95 would depend on
 * two calls. Pictures that take a lot of memory to decode take several seconds each, so only the memory (compared with the container's limit) and
 * rejections are judged for them.
 */
export function limitsOf(form: keyof typeof floodPlans): Record<string, number> {
  const { otherAccountP95Ratio, ...always } = floodLimits
  if (form === 'full') return { ...always, otherAccountP95Ratio }
  return form === 'held' ? { ...always, residentPeakMiB: containerMiB } : always
}

interface Plan {
  /** The number of small calls that the other account makes before the flood, and the minimum number during it. */
  readonly calls: number
  readonly seconds: number
  /** True if a third account also sends small files that take up all the permitted memory when decoded. */
  readonly withHeld?: boolean
}

export const floodPlans: Readonly<Record<'short' | 'full' | 'held', Plan>> = {
  short: { calls: 20, seconds: 10 },
  full: { calls: 60, seconds: 60 },
  held: { calls: 20, seconds: 60, withHeld: true },
}

const kibibyte = 1024

/**
 * Floods the built server with its default settings and the image's allocator: strangers and a link's holder stall their request bodies, some readers do not read, and an
 * account sends crowds. In the meantime, and before for comparison, another account makes small calls.
 */
export async function tortureFlood({
  calls,
  seconds,
  withHeld = false,
}: Plan): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-flood-'))
  const server = await startBuiltServer({
    ...allocatorOfImage(),
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    DEMO: 'false',
  })
  try {
    const heavy = callerOf(server.origin, server.apiKey)
    const other = callerOf(server.origin, newAccount(folder, 'The other account'))
    await ready(server)
    for (let i = 0; i < 5; i++) await smallCalls(other)
    const quiet = await timed(other, (made) => made < calls)
    const residentQuiet = residentOf(server).now
    const flood = await startFlood(
      server,
      heavy,
      withHeld ? newAccount(folder, 'A third account') : undefined,
    )
    const until = performance.now() + seconds * 1000
    const under = await timed(other, (made) => made < calls || performance.now() < until)
    const flooded = await flood.end()
    return figuresOf(server, { quiet, under, residentQuiet, flooded })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** True if no limit was exceeded. */
export function withstood(figures: Record<string, number>, form: keyof typeof floodPlans): boolean {
  const { otherAccountP95Ratio = Number.POSITIVE_INFINITY, ...others } = limitsOf(form)
  const isHeld = Object.entries(others).every(([name, most]) => figures[name]! <= most)
  return isHeld && (form !== 'full' || figures.otherAccountP95Ratio! < otherAccountP95Ratio)
}

function newAccount(folder: string, name: string): string {
  const command = ['dist/server/account.js', 'create', name, '--json']
  const printed = execFileSync(process.execPath, command, {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    encoding: 'utf8',
  })
  return (JSON.parse(printed) as { apiKey: string }).apiKey
}

async function ready({ origin }: BuiltServer): Promise<void> {
  while ((await fetch(`${origin}/v1/readyz`)).status !== 200) await pause(50)
}

/** Runs all kinds of flood at once in a separate process until it is stopped. */
async function startFlood({ port, apiKey, origin }: BuiltServer, heavy: Caller, heldKey: string | undefined) {
  const { sessionToken } = await heavy.call(createSession, {
    body: { verifierConfigs: { liveness: { type: 'Verification' } } },
  } as never)
  const plan: FloodPlan = { port, origin, apiKey, heldKey, sessionToken }
  const flood = fork('lab/torture/flood/flooding.ts', [JSON.stringify(plan)], {
    execArgv: ['--import', 'tsx'],
  })
  await once(flood, 'message')
  return {
    async end(): Promise<FloodOutcome> {
      flood.send('end')
      const [flooded] = (await once(flood, 'message')) as [FloodOutcome]
      flood.disconnect()
      return flooded
    },
  }
}

interface TimedCalls {
  readonly small: readonly number[]
  readonly bare: readonly number[]
  readonly refused: number
}

async function timed(caller: Caller, goesOn: (made: number) => boolean): Promise<TimedCalls> {
  const small: number[] = []
  const bare: number[] = []
  let refused = 0
  while (goesOn(small.length + refused)) {
    try {
      const [of, without] = await smallCalls(caller)
      small.push(of)
      bare.push(without)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refused++
      await pause(50)
    }
  }
  return { small, bare, refused }
}

/** How many milliseconds a call with a small picture takes, and a call without any picture. */
async function smallCalls(caller: Caller): Promise<readonly [number, number]> {
  const began = performance.now()
  await caller.call(detectFaces, { body: { image: bytesOf(astronaut) } })
  const between = performance.now()
  await caller.call(getUtcNow, {})
  return [between - began, performance.now() - between]
}

/** A process's current and peak memory, in MiB. */
function residentOf({ pid }: BuiltServer): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mebibytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / kibibyte
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') }
}

interface FloodFigures {
  readonly quiet: TimedCalls
  readonly under: TimedCalls
  readonly residentQuiet: number
  readonly flooded: FloodOutcome
}

function figuresOf(
  server: BuiltServer,
  { quiet, under, residentQuiet, flooded }: FloodFigures,
): Record<string, number> {
  const [before, during] = [quantile(quiet.small, 0.95), quantile(under.small, 0.95)]
  return {
    residentPeakMiB: residentOf(server).peak,
    residentQuietMiB: residentQuiet,
    otherAccountP95Ratio: during / before,
    otherAccountRefused: under.refused,
    otherAccountCalls: under.small.length,
    otherAccountP95QuietMs: before,
    otherAccountP95Ms: during,
    otherAccountP95WithoutPictureQuietMs: quantile(quiet.bare, 0.95),
    otherAccountP95WithoutPictureMs: quantile(under.bare, 0.95),
    crowdsAnswered: flooded.answered,
    heldAnswered: flooded.held,
    picturesRefused: flooded.refused,
    facesOfCrowdsMean: flooded.faces / Math.max(1, flooded.answered),
    connectionsOpened: flooded.opened,
    connectionsEndedByServer: flooded.ended,
  }
}
