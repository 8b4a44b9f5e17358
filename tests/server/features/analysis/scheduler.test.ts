import { describe, expect, test } from 'vitest'
import { createScheduler, type Turn } from '#server/features/analysis/scheduler.ts'

const tick = () => new Promise((done) => setTimeout(done, 1))

/** Slots that the test occupies for a set time on a simulated clock. */
function start(slots = ['one'], mostPixels = 80) {
  let time = 0
  const limits = { places: 64, pixels: mostPixels, patienceInMilliseconds: 60_000 }
  const scheduler = createScheduler(slots, limits, () => time)
  const started: string[] = []
  const held = new Map<string, Turn<string>>()
  const { signal } = new AbortController()
  const acquire = async (name: string, pixels: number) => {
    const turn = await scheduler.acquire({ accountId: name[0]!, pixels, signal })
    started.push(name)
    held.set(name, turn)
  }
  /** Pictures still waiting when the test ends are rejected later, when nothing is listening. */
  const come = (name: string, pixels = 1) => {
    const acquired = acquire(name, pixels)
    acquired.catch(() => undefined)
    return acquired
  }
  return {
    started,
    come,
    async end(name: string, work = 1) {
      time += work
      held.get(name)!.release()
      held.delete(name)
      await tick()
    },
    async pause(name: string, work = 1) {
      time += work
      void held
        .get(name)!
        .pause()
        .then(
          () => started.push(`${name} again`),
          () => undefined,
        )
      await tick()
    },
  }
}

describe('the scheduler', () => {
  test('counts the time of a slot, not the pictures: heavy ones of one account let light ones of another through', async () => {
    const { started, come, end } = start()
    for (const name of ['heavy1', 'heavy2', 'light1', 'light2', 'light3', 'light4']) void come(name)
    await tick()
    await end('heavy1', 3)
    for (const name of ['light1', 'light2', 'light3']) await end(name, 1)
    expect(started).toEqual(['heavy1', 'light1', 'light2', 'light3', 'heavy2'])
  })

  test('saves up no time: an account that was away starts level with the others', async () => {
    const { started, come, end } = start()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void come(name)
    await tick()
    for (const name of ['a1', 'a2', 'a3']) await end(name, 1000)
    for (const name of ['b1', 'b2', 'b3']) void come(name)
    await end('a4', 1000)
    await end('b1', 1201)
    expect(started.slice(4)).toEqual(['b1', 'a5'])
  })

  test('gives a newcomer a head start of 200 ms, so that a usual picture is done in one go', async () => {
    const { started, come, pause } = start()
    void come('a1')
    await tick()
    await pause('a1', 1000)
    void come('b1')
    await pause('a1', 1)
    await pause('b1', 199)
    await pause('b1', 3)
    expect(started).toEqual(['a1', 'a1 again', 'b1', 'b1 again', 'a1 again'])
  })

  test('does not let an account shed its debt by waiting for nothing', async () => {
    const { started, come, end } = start()
    void come('a1')
    await tick()
    void come('b1')
    void come('b2')
    await end('a1', 100)
    void come('a2')
    await end('b1', 1)
    expect(started).toEqual(['a1', 'b1', 'b2'])
  })

  test('continues a picture that was begun before the next one of its account', async () => {
    const { started, come, pause, end } = start()
    for (const name of ['a1', 'a2', 'b1']) void come(name)
    await tick()
    await pause('a1')
    await end('b1')
    expect(started).toEqual(['a1', 'b1', 'a1 again'])
  })

  test('continues a picture at its own slot only', async () => {
    const { started, come, pause, end } = start(['one', 'two'])
    for (const name of ['a1', 'b1', 'c1']) void come(name)
    await tick()
    await pause('a1')
    expect(started).toEqual(['a1', 'b1', 'c1'])
    await end('b1')
    expect(started).toEqual(['a1', 'b1', 'c1'])
    await end('c1')
    expect(started).toEqual(['a1', 'b1', 'c1', 'a1 again'])
  })
})

describe('the pixels in flight', () => {
  const seats = ['one', 'two', 'three']

  test('are bounded; the next picture waits until it fits, and none passes it', async () => {
    const { started, come, end } = start(seats, 80)
    for (const [name, pixels] of [
      ['a', 40],
      ['b', 40],
      ['c', 41],
      ['d', 1],
    ] as const)
      void come(name, pixels)
    await tick()
    expect(started).toEqual(['a', 'b'])
    await end('a')
    expect(started).toEqual(['a', 'b'])
    await end('b')
    expect(started).toEqual(['a', 'b', 'c', 'd'])
  })

  test('admit a picture alone that is larger than all of them', async () => {
    const { started, come } = start(seats, 10)
    void come('large', 40)
    await tick()
    expect(started).toEqual(['large'])
  })

  test('include a picture that waits for its next face, and let it continue if the next one does not fit', async () => {
    const { started, come, pause, end } = start(['one'], 80)
    void come('a', 60)
    void come('b', 60)
    await tick()
    await pause('a', 100)
    expect(started).toEqual(['a', 'a again'])
    await end('a')
    expect(started).toEqual(['a', 'a again', 'b'])
  })
})
