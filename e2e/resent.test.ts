import sharp from 'sharp'
import { newCamera } from './support/acted/camera.ts'
import { hasFootage, loadClip } from './support/acted/clips.ts'
import { createCheck } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { isLong, long, some } from './support/length.ts'
import { actorOf, type Moment, type Performer, recorded, visitByScript } from './support/scenes/scripted.ts'

/** Pictures from an earlier session. There is only one action, so both sessions request the same one. */
test.use({ settings: { CHALLENGE_ACTIONS: 'turnLeft' } })
test.skip(!hasFootage, 'needs the footage of ../shared/data')

const live = ['Krzysiek354_real.webm', 'tranvanluyt2203_real.mp4']
/** Scripts do not send a film. */
const liveness = {
  liveness: { type: 'Verification', challengeType: 'Balanced', evidence: 'optional' },
} as const

/**
 * The number of visits per clip, each in a different light. [Note: The same light twice] Two visits whose lights differ by less than
 * 17 parts in 10,000 look like re-encoded pictures, and count as such.
 */
const visits = isLong ? 12 : 4

const changes: readonly (readonly [name: string, change: (picture: Buffer) => Promise<Buffer>])[] = [
  ['unchanged', async (picture) => picture],
  ...[90, 75, 60, 40].map(
    (quality) =>
      [`re-encoded at ${quality}`, (picture: Buffer) => sharp(picture).jpeg({ quality }).toBuffer()] as const,
  ),
  ...[0.75, 0.5].map((scale) => [`scaled to ${scale}`, (picture: Buffer) => scaled(picture, scale)] as const),
]

/**
 * The short form only tries changes that are always detected. At quality 40, about one visit in seven goes unnoticed:
 * `npm run bench -- resent-pictures` measures the rates.
 */
const ends = changes.filter(([name]) => /they were|at 75|to 0.5/.test(name))

async function scaled(picture: Buffer, scale: number): Promise<Buffer> {
  const { width } = await sharp(picture).metadata()
  return sharp(picture)
    .resize({ width: Math.round(width * scale) })
    .jpeg({ quality: 90 })
    .toBuffer()
}

function resend(
  shown: ReadonlyMap<Moment, readonly Buffer[]>,
  change: (picture: Buffer) => Promise<Buffer>,
): Performer {
  return (moment) => Promise.all(shown.get(moment)!.map(change))
}

for (const file of some(live))
  test(`pictures of ${file} that passed do not pass again`, async ({ site, browser }) => {
    const clip = await loadClip(browser, file)
    const id = await createCheck(site, liveness)
    const { performer, shown } = recorded(actorOf(clip))
    expect((await visitByScript(site, id, performer)).verificationFailedReasons).toEqual([])
    for (const [name, change] of isLong ? changes : ends) {
      const result = await visitByScript(site, id, resend(shown, change))
      expect.soft(result.verificationFailedReasons, name).toContain('livenessFailed')
    }
  })

// In reverse order, so that the two tests use different clips in the short form.
for (const file of some(live.toReversed()))
  test(
    `${file} performed again ${visits} times is not taken for a replay of itself`,
    long,
    async ({ site, browser }, info) => {
      const clip = await loadClip(browser, file)
      const id = await createCheck(site, liveness)
      const reasons: string[] = []
      for (let visit = 0; visit < visits; visit++) {
        const result = await visitByScript(
          site,
          id,
          actorOf(clip, newCamera((visit + Math.random()) / visits)),
        )
        if (result.verificationResult !== 'Pass') reasons.push(result.verificationFailedReasons.join(' '))
      }
      info.annotations.push({ type: 'refused', description: `${reasons.length} of ${visits}: ${reasons}` })
      console.log(`${file}: ${reasons.length} of ${visits} honest visits refused`, reasons)
      expect(reasons.length).toBeLessThanOrEqual(Math.floor(visits / 10))
    },
  )
