import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { median, quantile } from '#lab/statistics/quantile.ts'
import { detectFaces } from '../../../shared/contract/analysis/face-verification.ts'
import { createSession } from '../../../shared/contract/sessions/session-creation.ts'
import { submitPictures } from '../../../shared/contract/sessions/session-pictures.ts'
import { Problem } from '../../../shared/problem.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { astronaut, bytesOf } from '../../../tests/support/upload.ts'
import { allocatorOfImage } from '../allocator.ts'
import { type Caller, callerOf } from '../caller.ts'
import { shot } from '../whole-session.ts'
import type { HandedIn, HandingIn } from './handing-in.ts'

/** The answer's time must not show whether there was a face, and a crowd must leave the memory and the other account alone. */
export const earlyLimits = {
  answerTimesApartMs: 5,
  residentPeakMiB: 768,
  otherAccountRefused: 0,
  unanswered: 0,
} as const

interface Plan {
  /** How many pictures of each kind are timed. */
  readonly timed: number
  readonly sessions: number
}

export const earlyPlans: Readonly<Record<'short' | 'full', Plan>> = {
  short: { timed: 40, sessions: 60 },
  full: { timed: 200, sessions: 500 },
}

/** Timed pictures are equally large, because reading a larger body takes longer whatever it shows. */
const timedBytes = 150_000
/** Four of them fill a session. */
const heavyBytes = 1_000_000

/** Far above what the sessions need, because all of them come from one address. */
const limits = { RATE_LIMIT_INITS: '100000', RATE_LIMIT_REQUESTS: '100000', RATE_LIMIT_ANALYSES: '100000' }

/**
 * Times the answers to early pictures with and without a face, and then has many sessions hand in at once: first a picture each, then as much as a
 * session may hold. Meanwhile, another account makes small calls.
 */
export async function tortureEarly({ timed, sessions }: Plan): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-early-'))
  const server = await startBuiltServer({
    ...allocatorOfImage(),
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    DEMO: 'false',
    ...limits,
  })
  try {
    const one = callerOf(server.origin, server.apiKey)
    const other = callerOf(server.origin, newAccount(folder, 'The other account'))
    while ((await fetch(`${server.origin}/v1/readyz`)).status !== 200) await pause(50)
    const answered = await answerTimes(one, server, timed)
    const small = (await shot(1)).bytes
    const crowd = await handedIn(server, one, other, { sessions, frames: [small], comesAgain: true })
    await idle(server)
    const frames = Array.from({ length: 4 }, (_, i) => enlarged(small, i, heavyBytes))
    const heavy = await handedIn(server, one, other, { sessions, frames, comesAgain: false })
    await idle(server)
    return {
      ...answered,
      ...named('crowd', crowd),
      ...named('heavy', heavy),
      ...totals(server, crowd, heavy),
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** True if no limit was exceeded. */
export function keptQuiet(figures: Readonly<Record<string, number>>): boolean {
  return Object.entries(earlyLimits).every(([name, most]) => figures[name]! <= most)
}

function newAccount(folder: string, name: string): string {
  const printed = execFileSync(process.execPath, ['dist/server/account.js', 'create', name, '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    encoding: 'utf8',
  })
  return (JSON.parse(printed) as { apiKey: string }).apiKey
}

async function newSession(caller: Caller): Promise<string> {
  const body = { verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Balanced' } } }
  return (await caller.call(createSession, { body } as never)).sessionToken
}

/** Milliseconds until the answer to a picture with a face and to one without, each while the server has nothing else to do. */
async function answerTimes(
  caller: Caller,
  server: BuiltServer,
  count: number,
): Promise<Record<string, number>> {
  const kinds = { face: shot, noFace: faceless } as const
  const took = { face: [] as number[], noFace: [] as number[] }
  const mostOfSession = 12
  let bearer = ''
  for (let i = 0; i < count; i++) {
    if (i % mostOfSession === 0) bearer = await newSession(caller)
    // The order changes each time, because the second picture of a pair finds the store warmer.
    const order = i % 2 === 0 ? (['face', 'noFace'] as const) : (['noFace', 'face'] as const)
    for (const [at, kind] of order.entries()) {
      const frames = [{ bytes: enlarged((await kinds[kind](i)).bytes, i, timedBytes), time: 2 * i + at }]
      const batch = 2 * (i % mostOfSession) + at + 1
      const began = performance.now()
      await caller.call(submitPictures, { bearer, body: { step: 0, batch, frames } })
      took[kind].push(performance.now() - began)
      await idle(server)
    }
  }
  const [face, noFace] = [median(took.face), median(took.noFace)]
  return {
    answersTimed: 2 * count,
    answerFaceP50Ms: face,
    answerNoFaceP50Ms: noFace,
    answerFaceP95Ms: quantile(took.face, 0.95),
    answerNoFaceP95Ms: quantile(took.noFace, 0.95),
    answerTimesApartMs: Math.abs(face - noFace),
  }
}

/** A picture without a face: the photograph's lower part, where clothes are. */
async function faceless(number: number): Promise<{ bytes: string }> {
  const brightness = 0.8 + ((number * 37) % 41) / 100
  const jpeg = await sharp(astronaut)
    .extract({ left: number % 13, top: 300, width: 180, height: 180 })
    .resize(480, 480)
    .modulate({ brightness })
    .jpeg({ quality: 95 })
    .toBuffer()
  return bytesOf(jpeg)
}

/** The same picture with more bytes after its end. */
function enlarged(picture: string, number: number, bytesInAll: number): string {
  const bytes = Buffer.from(picture, 'base64')
  return Buffer.concat([bytes, Buffer.alloc(bytesInAll - bytes.length, number)]).toString('base64')
}

/** Waits until no picture is analysed or waits for it. */
async function idle({ origin, apiKey }: BuiltServer): Promise<void> {
  const headers = { authorization: `ApiKey ${apiKey}` }
  for (let quiet = 0; quiet < 3; ) {
    const figures = await (await fetch(`${origin}/metrics`, { headers })).text()
    quiet = /^selfsame_analyses_under_way 0$/m.test(figures) ? quiet + 1 : 0
    await pause(quiet > 0 ? 5 : 50)
  }
}

interface Crowd extends HandedIn {
  readonly sessions: number
  readonly otherTook: readonly number[]
  readonly otherRefused: number
}

async function handedIn(
  { origin }: BuiltServer,
  one: Caller,
  other: Caller,
  { sessions, ...plan }: Pick<HandingIn, 'frames' | 'comesAgain'> & { readonly sessions: number },
): Promise<Crowd> {
  const tokens: string[] = []
  for (let i = 0; i < sessions; i++) tokens.push(await newSession(one))
  const crowd = fork('lab/torture/early/handing-in.ts', [], { execArgv: ['--import', 'tsx'] })
  const answer = once(crowd, 'message') as Promise<[HandedIn]>
  crowd.send({ origin, tokens, ...plan } satisfies HandingIn)
  let isOver = false
  const over = answer.then(([found]) => {
    isOver = true
    return found
  })
  const watched = { otherTook: [] as number[], otherRefused: 0 }
  while (!isOver) {
    const began = performance.now()
    try {
      await other.call(detectFaces, { body: { image: bytesOf(astronaut) } })
      watched.otherTook.push(performance.now() - began)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      watched.otherRefused++
    }
    await pause(50)
  }
  return { ...(await over), sessions, ...watched }
}

function named(prefix: string, { otherTook, ...crowd }: Crowd): Record<string, number> {
  const { sessions, taken, asked, seconds } = crowd
  return {
    [`${prefix}Sessions`]: sessions,
    [`${prefix}Taken`]: taken,
    [`${prefix}AskedToComeAgain`]: asked,
    [`${prefix}Seconds`]: seconds,
    [`${prefix}OtherAccountCalls`]: otherTook.length,
    [`${prefix}OtherAccountP50Ms`]: median(otherTook),
    [`${prefix}OtherAccountP95Ms`]: quantile(otherTook, 0.95),
  }
}

function totals({ pid }: BuiltServer, ...crowds: readonly Crowd[]): Record<string, number> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const sum = (read: (crowd: Crowd) => number) => crowds.reduce((all, crowd) => all + read(crowd), 0)
  return {
    residentPeakMiB: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
    otherAccountRefused: sum(({ otherRefused }) => otherRefused),
    unanswered: sum(({ failed }) => failed),
  }
}
