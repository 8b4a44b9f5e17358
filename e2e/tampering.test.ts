import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { type Action, limits } from '#shared/contract/sessions/session.ts'
import { hasFootage, loadClip, photograph } from './support/acted/clips.ts'
import { createCheck, readResult, type Site } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { long, some } from './support/length.ts'
import {
  actorOf,
  closeSession,
  openSession,
  type Performer,
  perform,
  performAll,
  photographsOf,
  problemOf,
  sendStep,
  start,
  visitByScript,
} from './support/scenes/scripted.ts'

const first = 'tranvanluyt2203_real.mp4'
const second = 'Krzysiek354_real.webm'
/** Scripts do not send a film. */
const liveness = {
  liveness: { type: 'Verification', challengeType: 'Balanced', evidence: 'optional' },
} as const
const actions: readonly Action[] = ['turnLeft', 'turnRight', 'lookUp']
const portraits = join('..', 'shared', 'data', 'recognition', 'lfw')

const claims = {
  isLive: true,
  verdict: 'Pass',
  verificationResult: 'Pass',
  liveness: { score: 1, result: 'Pass' },
  steps: [{ step: 1, accepted: true, reason: 'performed' }],
  embedding: Array.from({ length: 512 }, () => 0.044),
}

let id = ''
test.beforeAll(async ({ site }) => {
  id = await createCheck(site, liveness)
})

test.describe('an honest script', () => {
  test.skip(!hasFootage, 'needs the footage of ../shared/data')

  for (const file of some([first, second])) {
    test(`with ${file} passes, so that the following tests fail for their own reasons`, async ({
      site,
      browser,
    }) => {
      const result = await visitByScript(site, id, actorOf(await loadClip(browser, file)))
      expect(result.verificationFailedReasons).toEqual([])
      expect(result.verificationResult).toBe('Pass')
      expect(result.livenessVerificationResult).toBe('Pass')
    })
  }
})

test.describe('photographs without a camera', () => {
  test('fail, whatever the device reports', async ({ site }) => {
    const plain = await visitByScript(site, id, photographsOf([photograph]))
    const claimed = await visitByScript(site, id, photographsOf([photograph]), claims)
    expect(plain.verificationFailedReasons).toContain('challengeFailed')
    // The second visit shows the first one's scene.
    expect(claimed.findings.map(({ kind }) => kind)).toContain('sameScene')
    const ofAnySession = ({
      verificationSessionId: _,
      resultId: _id,
      findings: _found,
      ...rest
    }: typeof plain) => rest
    expect(ofAnySession(claimed)).toEqual(ofAnySession(plain))
  })

  for (const person of some(['Colin_Powell', 'Tony_Blair', 'Silvio_Berlusconi'])) {
    test(`fail, even with many different ones of ${person}`, long, async ({ site }) => {
      test.skip(!existsSync(portraits), 'needs the pictures of ../shared/data')
      const files = readdirSync(portraits)
        .filter((name) => name.startsWith(`${person}__`))
        .map((name) => join(portraits, name))
      const result = await visitByScript(site, id, photographsOf(files), claims)
      expect(result.verificationResult).toBe('Fail')
      expect(result.verificationFailedReasons).toContain('livenessFailed')
    })
  }
})

test.describe('steps', () => {
  test.skip(!hasFootage, 'needs the footage of ../shared/data')
  let actor: Performer
  test.beforeEach(async ({ browser }) => {
    actor = actorOf(await loadClip(browser, first))
  })

  /** Closes the session with honest pictures, which do not make up for a spoilt step. */
  async function endOf(site: Site, opened: Awaited<ReturnType<typeof openSession>>, challengeStep = 1) {
    await closeSession(site, opened, await actor('end'), { challengeStep, deviceReport: claims })
    return readResult(site, opened.verificationSessionId)
  }

  test('are not accepted if they are late', long, async ({ site }) => {
    const opened = await openSession(site, id)
    const asked = await start(site, opened, actor)
    const pictures = await actor(asked.action)
    await sleep(12_500)
    expect(await sendStep(site, opened, asked.step, pictures)).toMatchObject({ accepted: false })
    expect((await endOf(site, opened)).verificationFailedReasons).toContain('challengeFailed')
  })

  test('are not accepted if they come faster than a human reaction', async ({ site }) => {
    const opened = await openSession(site, id)
    const prepared = new Map(
      await Promise.all(actions.map(async (name) => [name, await actor(name)] as const)),
    )
    let next = await start(site, opened, actor)
    for (const _ of ['the step', 'its repeat']) {
      const answer = await sendStep(site, opened, next.step, prepared.get(next.action)!)
      expect(answer.accepted).toBe(false)
      if (answer.next === null) break
      next = answer.next
    }
    expect((await endOf(site, opened)).verificationFailedReasons).toContain('challengeFailed')
  })

  test('are rejected out of order', async ({ site }) => {
    const opened = await openSession(site, id)
    const pictures = await actor('turnLeft')
    expect(await problemOf(sendStep(site, opened, 1, pictures))).toMatchObject({ code: 'step_out_of_order' })
    await start(site, opened, actor)
    expect(await problemOf(sendStep(site, opened, 2, pictures))).toMatchObject({ code: 'step_out_of_order' })
    const ahead = closeSession(site, opened, pictures, { challengeStep: 2 })
    expect(await problemOf(ahead)).toEqual({
      code: 'invalid_request',
      pointers: pictures.map((_, index) => `#/frames/${index}/challengeStep`).slice(0, 1),
    })
    expect((await endOf(site, opened)).verificationFailedReasons).toContain('challengeFailed')
  })

  test('do not count if they are sent at the end instead of in time', async ({ site }) => {
    const opened = await openSession(site, id)
    const asked = await start(site, opened, actor)
    await closeSession(site, opened, await actor(asked.action), { challengeStep: 1 })
    const result = await readResult(site, opened.verificationSessionId)
    expect(result.verificationFailedReasons).toContain('challengeFailed')
  })

  test('change nothing if they are repeated: the pictures of the repeat are ignored', async ({
    site,
    browser,
  }) => {
    const other = actorOf(await loadClip(browser, second))
    const opened = await openSession(site, id)
    const asked = await start(site, opened, actor)
    expect(await sendStep(site, opened, 0, await other('start'))).toEqual({ next: asked, accepted: true })
    const answer = await perform(site, opened, asked, actor)
    expect(answer).toEqual({ next: null, accepted: true })
    expect(await sendStep(site, opened, asked.step, await other(asked.action))).toEqual(answer)
    expect((await endOf(site, opened)).verificationFailedReasons).toEqual([])
  })

  test('cannot be improved afterwards if they were not performed', async ({ site }) => {
    const opened = await openSession(site, id)
    const asked = await start(site, opened, actor)
    const answer = await perform(site, opened, asked, () => actor('start'))
    expect(answer.accepted).toBe(false)
    expect(await perform(site, opened, asked, actor)).toEqual(answer)
    expect((await endOf(site, opened)).verificationFailedReasons).toContain('challengeFailed')
  })
})

test.describe('two people', () => {
  test.skip(!hasFootage, 'needs the footage of ../shared/data')

  for (const [actorFile, portraitFile] of some([
    [first, second],
    [second, first],
  ] as const)) {
    test(`${actorFile} performs and ${portraitFile} supplies the portrait`, async ({ site, browser }) => {
      const actor = actorOf(await loadClip(browser, actorFile))
      const portrait = actorOf(await loadClip(browser, portraitFile))
      const shown: Performer = (moment) => (moment === 'end' ? portrait(moment) : actor(moment))
      const result = await visitByScript(site, id, shown)
      expect(result.verificationFailedReasons).toContain('personChanged')
    })

    test(`${actorFile} performs one step for ${portraitFile}`, async ({ site, browser }) => {
      const actor = actorOf(await loadClip(browser, actorFile))
      const portrait = actorOf(await loadClip(browser, portraitFile))
      let acted = false
      const shown: Performer = (moment) => {
        if (moment === 'start' || moment === 'end' || acted) return portrait(moment)
        acted = true
        return actor(moment)
      }
      const result = await visitByScript(site, id, shown)
      expect(result.verificationFailedReasons).toContain('personChanged')
    })
  }
})

test.describe('an end', () => {
  test.skip(!hasFootage, 'needs the footage of ../shared/data')

  test('has one result if it is sent twice at once with different pictures', async ({ site, browser }) => {
    const actor = actorOf(await loadClip(browser, first))
    const other = actorOf(await loadClip(browser, second))
    const opened = await openSession(site, id)
    const challengeStep = await performAll(site, opened, actor)
    const [own, foreign] = await Promise.all([actor('end'), other('end')])
    const answers = await Promise.all(
      [own, foreign].map((pictures) => closeSession(site, opened, pictures, { challengeStep })),
    )
    expect(answers[1]).toEqual(answers[0])
    const result = await readResult(site, opened.verificationSessionId)
    expect(result.verificationResult).toBe(answers[0]!.verificationResult)
    await site.receiver.next(opened.verificationSessionId)
    await sleep(500)
    const told = site.receiver.received.filter(({ body }) => body.includes(opened.verificationSessionId))
    expect(told).toHaveLength(1)
    await closeSession(site, opened, foreign, { challengeStep })
    expect(await readResult(site, opened.verificationSessionId)).toEqual(result)
  })

  test('is not affected by rejected pictures', async ({ site, browser }) => {
    const actor = actorOf(await loadClip(browser, second))
    const good = (await actor('start'))[0]!
    const refused: readonly (readonly [pictures: Buffer[], code: string, pointer: string])[] = [
      [Array<Buffer>(limits.framesInAll + 1).fill(good), 'invalid_request', '#/frames'],
      [[good, padded(good, limits.frameBytes + 1)], 'invalid_request', '#/frames/1/bytes'],
      [[good, await empty(1415, 1414)], 'invalid_request', '#/frames/1/bytes'],
      [[randomBytes(2000)], 'invalid_request', '#/frames/0/bytes'],
      [[await sharp(good).png().toBuffer()], 'invalid_request', '#/frames/0/bytes'],
      [[good, good.subarray(0, good.length / 2)], 'unreadable_image', '#/frames/1/bytes'],
      [[good, withoutTables(good)], 'unreadable_image', '#/frames/1/bytes'],
    ]
    const opened = await openSession(site, id)
    for (const [pictures, code, pointer] of refused) {
      expect(await problemOf(sendStep(site, opened, 0, pictures))).toEqual({ code, pointers: [pointer] })
    }
    const challengeStep = await performAll(site, opened, actor)
    for (const [pictures, code, pointer] of refused) {
      const end = closeSession(site, opened, pictures, { challengeStep })
      expect(await problemOf(end)).toEqual({ code, pointers: [pointer] })
    }
    await closeSession(site, opened, await actor('end'), { challengeStep })
    const result = await readResult(site, opened.verificationSessionId)
    expect(result.verificationFailedReasons).toEqual([])
  })
})

function padded(picture: Buffer, length: number): Buffer {
  return Buffer.concat([picture, Buffer.alloc(length - picture.length)])
}

/** Complete according to its headers, but it lacks the tables for decoding the pixels, which only a decoder notices. */
function withoutTables(picture: Buffer): Buffer {
  const at = picture.indexOf(Buffer.from([0xff, 0xdb]))
  if (at < 0) return picture
  const after = picture.subarray(at + 2 + picture.readUInt16BE(at + 2))
  return withoutTables(Buffer.concat([picture.subarray(0, at), after]))
}

function empty(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer()
}
