import { expect, test } from 'vitest'
import { busy } from '#server/platform/running/places.ts'
import { submitStep } from '#shared/contract/sessions/session.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import { createFakeAnalysis } from '../../../../support/drawn/fake-analysis.ts'
import { fakeJpeg, frameOf } from '../../../../support/drawn/fake-picture.ts'
import { startHost } from '../../../../support/host.ts'
import { recordOf } from '../../../../support/session-record.ts'
import { newVerification, openSession, problemOf } from '../../../../support/visit.ts'

const anna = { person: 'anna' }

/** An analysis that waits until it is allowed to continue. */
function held() {
  const fake = createFakeAnalysis()
  let letGo = () => {}
  const gate = new Promise<void>((over) => {
    letGo = over
  })
  return {
    ...fake,
    async analyse(...request: Parameters<typeof fake.analyse>) {
      await gate
      return fake.analyse(...request)
    },
    letGo: () => letGo(),
  }
}

function large(shot: number) {
  const bytes = Buffer.concat([fakeJpeg({ ...anna, shot }), Buffer.alloc(1_000_000)])
  return { bytes: bytes.toString('base64'), time: shot }
}

test('a session holds 4 MB at most, and other sessions are served', async () => {
  const analysis = held()
  const host = await startHost({ ports: { analysis } })
  const verificationId = await newVerification(host)
  const [full, other] = [await openSession(host, verificationId), await openSession(host, verificationId)]
  const handIn = (bearer: string, batch: number) =>
    host.call(submitPictures, { bearer, body: { step: 0, batch, frames: [large(batch)] } })
  for (const batch of [1, 2, 3, 4]) await handIn(full.bearer, batch)
  await expect(handIn(full.bearer, 5)).rejects.toMatchObject({ status: 503, retryAfterInSeconds: 2 })
  await handIn(other.bearer, 5)
  analysis.letGo()
  await host.call(submitStep, { bearer: full.bearer, body: { step: 0, frames: [] } })
  await handIn(other.bearer, 6)
  expect((await recordOf(host, full))!.frameCount).toBe(4)
  await host.close()
})

test('a batch of more than 4 MB is a 413', async () => {
  const host = await startHost()
  const { bearer } = await openSession(host, await newVerification(host))
  const frames = [1, 2, 3, 4, 5].map(large)
  const refused = host.call(submitPictures, { bearer, body: { step: 0, batch: 1, frames } })
  expect(await problemOf(refused)).toBe('body_too_large')
  await host.close()
})

test('no picture is analysed twice, and everybody in view is counted in the fullest picture of all', async () => {
  const host = await startHost()
  const opened = await openSession(host, await newVerification(host))
  const { bearer } = opened
  const scenes = [anna, { ...anna, others: 2 }, { ...anna, others: 1 }]
  for (const [i, scene] of scenes.entries())
    await host.call(submitPictures, { bearer, body: { step: 0, batch: i + 1, frames: [frameOf(scene)] } })
  await host.call(submitStep, { bearer, body: { step: 0, frames: [frameOf(anna)] } })
  const { observations } = (await recordOf(host, opened))!
  expect(observations.map(({ inView }) => inView)).toEqual([undefined, 3, undefined, undefined])
  // Once each, and once more for the first two to find other people in view.
  expect(host.analysis.calls).toBeLessThanOrEqual(scenes.length + 1 + 2)
  await host.close()
})

test('a full queue is no refusal: the batch is answered, and analysed once there is room', async () => {
  const fake = createFakeAnalysis()
  let refusals = 3
  const host = await startHost({
    ports: {
      analysis: {
        ...fake,
        async analyse(...request) {
          if (refusals-- > 0) throw busy()
          return fake.analyse(...request)
        },
      },
    },
  })
  const opened = await openSession(host, await newVerification(host))
  const { bearer } = opened
  await host.call(submitPictures, { bearer, body: { step: 0, batch: 1, frames: [frameOf(anna)] } })
  await host.services.finishEarly()
  expect(refusals).toBeLessThan(0)
  await host.call(submitStep, { bearer, body: { step: 0, frames: [] } })
  expect((await recordOf(host, opened))!.observations).toHaveLength(1)
  await host.close()
})

test('at most two pictures of a session are analysed at a time, unless its step is being ended', async () => {
  const fake = createFakeAnalysis()
  let underWay = 0
  let most = 0
  const host = await startHost({
    ports: {
      analysis: {
        ...fake,
        parallel: 4,
        async analyse(...request) {
          most = Math.max(most, ++underWay)
          await new Promise((over) => setTimeout(over, 20))
          underWay--
          return fake.analyse(...request)
        },
      },
    },
  })
  const { bearer } = await openSession(host, await newVerification(host))
  const frames = Array.from({ length: 8 }, (_, i) => frameOf(anna, i))
  await host.call(submitPictures, { bearer, body: { step: 0, batch: 1, frames } })
  await host.services.finishEarly()
  expect(most).toBe(2)
  await host.close()
})

test('equally full pictures are counted once, in the first one', async () => {
  const host = await startHost()
  const opened = await openSession(host, await newVerification(host))
  const { bearer } = opened
  for (const batch of [1, 2, 3])
    await host.call(submitPictures, { bearer, body: { step: 0, batch, frames: [frameOf(anna)] } })
  await host.call(submitStep, { bearer, body: { step: 0, frames: [frameOf(anna)] } })
  const { observations } = (await recordOf(host, opened))!
  expect(observations.map(({ inView }) => inView)).toEqual([1, undefined, undefined, undefined])
  expect(host.analysis.calls).toBe(4 + 1)
  await host.close()
})

test('the last picture of a step is analysed while an early one still is', async () => {
  const analysis = held()
  const started: Uint8Array[] = []
  const watched = {
    ...analysis,
    parallel: 2,
    analyse: (...request: Parameters<typeof analysis.analyse>) => {
      started.push(request[0])
      return analysis.analyse(...request)
    },
  }
  const host = await startHost({ ports: { analysis: watched } })
  const { bearer } = await openSession(host, await newVerification(host))
  await host.call(submitPictures, { bearer, body: { step: 0, batch: 1, frames: [frameOf(anna)] } })
  const ended = host.call(submitStep, { bearer, body: { step: 0, frames: [frameOf({ ...anna, shot: 2 })] } })
  await expect.poll(() => started.length).toBe(2)
  analysis.letGo()
  await ended
  const looks = new Set(started.map((picture) => Buffer.from(picture).toString('base64')))
  expect(looks.size).toBe(2)
  // Once each, and once more to find other people in view.
  expect(started).toHaveLength(3)
  await host.close()
})

test('a picture of the last call that cannot be decoded is a 400, with early ones before it', async () => {
  const host = await startHost()
  const { bearer } = await openSession(host, await newVerification(host))
  await host.call(submitPictures, { bearer, body: { step: 0, batch: 1, frames: [frameOf(anna)] } })
  const broken = { ...frameOf(anna), bytes: Buffer.from('no picture').toString('base64') }
  const refused = host.call(submitStep, { bearer, body: { step: 0, frames: [broken] } })
  expect(await problemOf(refused)).toBe('invalid_request')
  await host.call(submitStep, { bearer, body: { step: 0, frames: [frameOf(anna)] } })
  await host.close()
})
