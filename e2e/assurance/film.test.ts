import type { Request } from '@playwright/test'
import { trailAsked, trailLimits } from '#shared/contract/sessions/trail.ts'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { begin, comeBack, createCheck, openActed, signLink } from '../support/acted/scenario.ts'
import { sentBody } from '../support/acted/sent-body.ts'
import { expectPassed } from '../support/expect-passed.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

/** What the page aims for with the camera of these clips. */
const wantedFrameBytes = 38_000

test.skip(!hasFootage, 'needs the footage of ../shared/data')

interface Sent {
  readonly bytes: string
  readonly time: number
}

/** The body of one of the visit's requests. */
interface Body {
  readonly frames: readonly Sent[]
  readonly trail?: readonly Sent[]
}

/** A JPEG's width and height, read from its frame header. */
function sidesOf(jpeg: Buffer): number[] {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  return [jpeg.readUInt16BE(at + 5), jpeg.readUInt16BE(at + 7)]
}

const bytesOf = ({ bytes }: Sent) => Buffer.from(bytes, 'base64')
const timesOf = (sent: readonly Sent[]) => sent.map(({ time }) => time)
const spaces = (times: readonly number[]) => times.slice(1).map((time, i) => time - times[i]!)

test(
  'the film of a visit is sent with its frames, from the first straight look to the last',
  long,
  async ({ site, browser }) => {
    const clip = await loadClip(browser, 'Krzysiek354_real.webm')
    const id = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
    const { context, page } = await openActed(browser, await signLink(site, id), clip, { manner: 'asked' })
    const bodies: Body[] = []
    page.on('request', (request: Request) => {
      if (/\/submit-(step|session|pictures)$/.test(request.url()))
        bodies.push(sentBody(request.postDataBuffer()!) as Body)
    })
    await begin(page)
    const outcome = await comeBack(site, page)
    expectPassed(outcome)
    await context.close()

    expect(bodies.length).toBeGreaterThanOrEqual(3)
    for (const { frames, trail = [] } of bodies) {
      const filmed = timesOf(trail)
      // The film covers all of its request's frames and has no gaps.
      expect(filmed[0]!).toBeLessThanOrEqual(Math.min(...timesOf(frames)) + 500)
      expect(filmed.at(-1)!).toBeGreaterThanOrEqual(Math.max(...timesOf(frames)) - 500)
      for (const picture of trail) {
        expect(bytesOf(picture).length).toBeLessThanOrEqual(trailLimits.bytes)
        expect(Math.max(...sidesOf(bytesOf(picture)))).toBe(trailLimits.longestSidePixels)
      }
    }
    const film = bodies.flatMap(({ trail = [] }) => trail)
    const gaps = spaces(timesOf(film))
    expect(Math.min(...gaps)).toBeGreaterThan(0)
    expect(Math.max(...gaps)).toBeLessThan(1000)
    // The film shows the moment of each frame.
    const frameTimes = timesOf(bodies.flatMap(({ frames }) => frames))
    const apart = frameTimes.map((time) => Math.min(...timesOf(film).map((at) => Math.abs(at - time))))
    expect(Math.max(...apart)).toBeLessThan(1000 / trailAsked.perSecond)
    const seconds = (film.at(-1)!.time - film[0]!.time) / 1000
    expect(film.length / seconds).toBeGreaterThan(2.5)
    const everything = bodies.flatMap(({ frames, trail = [] }) => [...frames, ...trail])
    const bytes = everything.reduce((sum, sent) => sum + bytesOf(sent).length, 0)
    expect(bytes).toBeLessThan(2.5e6)
    for (const { frames } of bodies)
      for (const frame of frames) expect(bytesOf(frame).length).toBeLessThanOrEqual(wantedFrameBytes)
    // Pictures carry no description of their colours.
    expect(everything.filter((sent) => bytesOf(sent).includes('ICC_PROFILE'))).toEqual([])
  },
)
