import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { remembering } from '#lab/bench/acted/session.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { type Action, actions, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import { trailLimits } from '#shared/contract/sessions/trail.ts'
import {
  type Clip,
  hasFootage,
  livenessSets,
  loadClip,
  segmentsOf,
} from '../../../../../e2e/support/acted/clips.ts'
import { launchBrowser } from '../../../../../e2e/support/browser.ts'
import { isLong } from '../../../../../e2e/support/length.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { openRealAnalysis } from '../../../../support/real-analysis.ts'
import { recordOf } from '../../../../support/session-record.ts'
import { consent, newVerification, openSession, resultOf } from '../../../../support/visit.ts'

/** How a visit's pictures are shared out: in the calls that end its steps, or each frame in a batch with the film up to it. */
const ways = ['inOneBody', 'mostEarly', 'allEarly'] as const
type Way = (typeof ways)[number]

interface Picture {
  readonly bytes: string
  /** Milliseconds since the camera started. */
  readonly time: number
}

/** A frame, and the film up to it. */
interface Piece {
  readonly frame: Picture
  readonly trail: readonly Picture[]
}

const inBetweenMilliseconds = 1500

/** In the short form, one clip in which one action is asked for. */
const clips = await clipsToAct()

async function clipsToAct(): Promise<(readonly [file: string, action: Action, set: string])[]> {
  if (!hasFootage) return []
  const found: (readonly [string, Action, string])[] = []
  for (const name of (await readdir(livenessSets)).sort()) {
    const set = join(livenessSets, name)
    if (!existsSync(join(set, 'segments.csv'))) continue
    const segments = await segmentsOf(set)
    for (const { file, action } of segments) {
      const isKnown = found.some(([one, of]) => one === file && of === action)
      const hasStart = segments.some((one) => one.file === file && one.action === 'frontal')
      if (!isKnown && hasStart && isAction(action)) found.push([file, action, set])
    }
  }
  const short = found.filter(([file, action]) => file === 'tranvanluyt2203_real.mp4' && action === 'turnLeft')
  return isLong ? found : short
}

function isAction(name: string): name is Action {
  return (actions as readonly string[]).includes(name)
}

let analysis: AnalysisService | undefined
let browser: Browser | undefined
afterAll(() => browser?.close())

describe.skipIf(!hasFootage)('over acted clips, verdict, findings and level are those of one body', () => {
  test.each(clips)('%s, %s', async (file, action, set) => {
    browser ??= await launchBrowser()
    analysis ??= remembering(await openRealAnalysis())
    const clip = await loadClip(browser, file, set)
    const moments = await momentsOf(clip, action)
    const outcomes = []
    for (const way of ways) {
      const host = await startHost({ ports: { analysis, challengeActions: [action] } })
      outcomes.push(await visit(host, way, moments))
      await host.close()
    }
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
    if (!isLong) expect(outcomes[0]).toMatchObject({ verificationResult: 'Pass' })
  })
})

/** The pieces of each step: a straight look, the action after a straight look, and a straight look again. */
async function momentsOf(clip: Clip, action: Action): Promise<Piece[][]> {
  const straight = clip.segments
    .filter((segment) => segment.action === 'frontal')
    .map((one) => placesIn(clip, one))
  const acted = placesIn(clip, clip.segments.find((segment) => segment.action === action)!)
  const [first, last] = [straight[0]!, straight.at(-1)!]
  const half = Math.ceil(first.length / 2)
  const start = straight.length === 1 ? first.slice(0, half) : first
  const end = straight.length === 1 ? first.slice(half) : last
  const way = [start.at(-1)!, ...acted.slice(0, Math.ceil(0.8 * acted.length))]
  const moments: Piece[][] = []
  let from = 0
  for (const [places, shares] of [
    [start, [0.3, 0.6, 1]],
    [way, [0, 0.5, 0.8, 1]],
    [end, [0.5, 1]],
  ] as const) {
    const every = 1000 / clip.framesPerSecond
    moments.push(await piecesOf(clip, places, shares, from, every))
    from += Math.round(places.length * every) + inBetweenMilliseconds
  }
  return moments
}

function placesIn({ frames, framesPerSecond }: Clip, { startSeconds, endSeconds }: Clip['segments'][number]) {
  const [from, to] = [Math.ceil(startSeconds * framesPerSecond), Math.floor(endSeconds * framesPerSecond)]
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((place) => place < frames.length)
}

/** Cuts a moment into pieces, each of which ends with a frame. The film has every second picture of the clip. */
async function piecesOf(
  { frames }: Clip,
  places: readonly number[],
  shares: readonly number[],
  from: number,
  every: number,
): Promise<Piece[]> {
  const ends = shares.map((share) => Math.round(share * (places.length - 1)))
  const pieces: Piece[] = []
  let filmed = 0
  for (const end of ends) {
    const trail: Picture[] = []
    for (; filmed <= end; filmed += 2)
      trail.push({ bytes: await small(frames[places[filmed]!]!), time: Math.round(from + filmed * every) })
    const whole = await sharp(await readFile(frames[places[end]!]!))
      .jpeg({ quality: 90 })
      .toBuffer()
    pieces.push({ frame: { bytes: whole.toString('base64'), time: Math.round(from + end * every) }, trail })
  }
  return pieces
}

/** A picture of the film, in as good a quality as fits. */
async function small(file: string): Promise<string> {
  const { longestSidePixels: side, bytes: most } = trailLimits
  const picture = await sharp(await readFile(file))
    .resize(side, side, { fit: 'inside' })
    .png()
    .toBuffer()
  for (let quality = 80; ; quality -= 10) {
    const bytes = await sharp(picture).jpeg({ quality }).toBuffer()
    if (bytes.length <= most || quality <= 20) return bytes.toString('base64')
  }
}

/** The bodies of a step, of which the last one ends it. */
function shared(pieces: readonly Piece[], way: Way): readonly (readonly Piece[])[] {
  if (way === 'inOneBody') return [pieces]
  if (way === 'mostEarly') return [...pieces.slice(0, -1).map((one) => [one]), pieces.slice(-1)]
  return [...pieces.map((one) => [one]), []]
}

function bodyOf(pieces: readonly Piece[]) {
  return { frames: pieces.map(({ frame }) => frame), trail: pieces.flatMap(({ trail }) => trail) }
}

async function visit(host: Host, way: Way, moments: readonly (readonly Piece[])[]) {
  const liveness = { type: 'Verification', challengeType: 'Balanced', evidence: 'required' } as const
  const verifierConfigs = { liveness, age: { type: 'CalculationOnly' as const } }
  const opened = await openSession(host, await newVerification(host, { verifierConfigs }))
  const { bearer } = opened
  const openedAt = host.now()
  let step = 0
  let isOpen = true
  for (const [i, pieces] of moments.entries()) {
    const bodies = shared(pieces, way)
    for (const [at, body] of bodies.slice(0, -1).entries()) {
      passUntil(host, openedAt, pieces[at]!)
      const batch = i * 10 + at + 1
      await host.call(submitPictures, { bearer, body: { step, batch, ...bodyOf(body) } })
    }
    passUntil(host, openedAt, pieces.at(-1)!)
    const last = bodyOf(bodies.at(-1)!)
    if (i < moments.length - 1 && isOpen) {
      await host.services.finishEarly()
      const { next } = await host.call(submitStep, { bearer, body: { step, ...last } })
      isOpen = next !== null
      step = next?.step ?? step
    } else if (i === moments.length - 1) {
      await host.services.finishEarly()
      const frames = last.frames.map((frame) => ({ ...frame, challengeStep: step }))
      await host.call(submitSession, { bearer, body: { ...last, frames, consent } })
    }
  }
  const { verificationResult, verificationFailedReasons, assurance, totalFaceCount, wouldFail } =
    await resultOf(host, opened)
  const { findings, passiveScore } = (await recordOf(host, opened))!.outcome!.evidence ?? {}
  return {
    verificationResult,
    verificationFailedReasons,
    assurance,
    totalFaceCount,
    wouldFail,
    findings,
    passiveScore,
  }
}

/** Advances the clock until a piece's frame has been taken and sent. */
function passUntil(host: Host, openedAt: number, { frame }: Piece): void {
  host.pass(Math.max(0, openedAt + frame.time + 1000 - host.now()))
}
