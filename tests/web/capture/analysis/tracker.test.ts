import { expect, test } from 'vitest'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { createTracker, emptyView, type StageEnd } from '#web/capture/analysis/tracker.ts'
import { analysisOf } from '../../support/analysis.ts'

type Look = Parameters<typeof analysisOf>[0]

const every = 100
const [straight, left, right] = [{}, { yaw: 25 }, { yaw: -25 }]
const times = (count: number, look: Look) => Array.from({ length: count }, () => look)

/** A try in which the person holds still and is then asked to turn left. Returns the times of the pictures that were sent early or at the end. */
function createTry() {
  const early: number[] = []
  const ends: StageEnd[] = []
  const tracker = createTracker({
    view: emptyView(),
    onEnd: (end) => void (end.type === 'staged' && ends.push(end)),
    onSpeak: () => {},
    onSure: ({ time }) => early.push(time) > 0,
  })
  let at = 0
  const read = (look: Look, encode = async () => new Uint8Array()) => {
    const picture = { at, time: at, waited: 0 }
    at += every
    return tracker.read({ ...picture, analysis: analysisOf(look), encode, encodeSmall: encode })
  }
  const see = async (...looks: Look[]) => {
    const from = at
    for (const look of looks) await read(look)
    return from
  }
  /** Sees one picture that is not encoded before `meanwhile` is over. */
  const seeSlowly = async (look: Look, meanwhile: () => void) => {
    const from = at
    let finish = () => {}
    const encoded = new Promise<void>((resolve) => {
      finish = resolve
    })
    const over = read(look, async () => {
      await encoded
      return new Uint8Array()
    })
    meanwhile()
    finish()
    await over
    return from
  }
  const hold = async () => {
    tracker.track({ name: 'hold' })
    await see(...times(thresholds.holdMilliseconds / every + 2, straight))
  }
  const ask = (step: number) => {
    early.length = 0
    tracker.track({ name: 'action', step: { step, action: 'turnLeft', timeLimitInSeconds: 10 }, room: 5 })
  }
  const close = () => {
    early.length = 0
    tracker.track({ name: 'closing', room: 5 })
  }
  const sent = () => [...early, ...(ends.at(-1)?.frames ?? []).map(({ time }) => time)]
  return { hold, ask, close, see, seeSlowly, sent }
}

const within = (sent: readonly number[], from: number, count: number) =>
  sent.filter((time) => time >= from && time < from + count * every)

test('a wrong turn that is corrected is not sent, and the next one of the try is', async () => {
  const { hold, ask, see, sent } = createTry()
  await hold()
  ask(1)
  await see(...times(9, straight))
  const first = await see(...times(5, right))
  await see(straight, ...times(3, left))
  expect(sent().length).toBeGreaterThan(3)
  expect(within(sent(), first, 5)).toEqual([])
  ask(2)
  await see(...times(9, straight))
  const second = await see(...times(5, right))
  await see(straight, ...times(3, left))
  expect(within(sent(), second, 5)).not.toEqual([])
})

test('another try has another pardon', async () => {
  const { hold, ask, see, sent } = createTry()
  for (const step of [1, 2]) {
    await hold()
    ask(step)
    await see(...times(9, straight))
    const wrong = await see(...times(5, right))
    await see(straight, ...times(3, left))
    expect(within(sent(), wrong, 5)).toEqual([])
  }
})

test('a wrong turn that is not corrected is sent before any later picture', async () => {
  const { hold, ask, see, sent } = createTry()
  await hold()
  ask(1)
  await see(...times(9, straight))
  const stays = thresholds.wrongTurn.turnedMilliseconds / every + 3
  const wrong = await see(...times(stays, right))
  await see(straight, ...times(3, left))
  expect(within(sent(), wrong, stays)).not.toEqual([])
  expect(sent()).toEqual(sent().toSorted((a, b) => a - b))
})

test('a picture that is still being encoded when the next stage begins does not belong to it', async () => {
  const { hold, ask, close, see, seeSlowly, sent } = createTry()
  await hold()
  ask(1)
  await see(...times(9, straight), ...times(9, right))
  const late = await seeSlowly(right, close)
  await see(...times(12, straight))
  expect(sent().length).toBeGreaterThan(0)
  expect(sent()).not.toContain(late)
})
