import { describe, expect, test } from 'vitest'
import { createLoopTurns, sliceInMilliseconds } from '#server/platform/running/loop-turns.ts'

/** A simulated clock and event loop. */
function loop() {
  let time = 0
  let waiting: (() => void)[] = []
  const turns = createLoopTurns(
    () => time,
    (then) => void waiting.push(then),
  )
  return {
    turns,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
    turn() {
      const due = waiting
      waiting = []
      for (const then of due) then()
    },
  }
}

describe('a turn of the event loop', () => {
  test('is over once long work has used its slice, which begins with the first question', () => {
    const { turns, pass } = loop()
    pass(1000)
    expect(turns.isOver()).toBe(false)
    pass(sliceInMilliseconds - 0.1)
    expect(turns.isOver()).toBe(false)
    pass(0.1)
    expect(turns.isOver()).toBe(true)
  })

  test('has one slice for all work in it, and the next turn has another', async () => {
    const { turns, pass, turn } = loop()
    const done = { one: 0, other: 0 }
    const work = async (name: keyof typeof done) => {
      for (let i = 0; i < 10; i++) {
        done[name]++
        pass(1)
        if (turns.isOver()) await turns.next()
      }
    }
    const both = Promise.all([work('one'), work('other')])
    for (let turned = 0; turned < 100 && done.one + done.other < 20; turned++) {
      const before = done.one + done.other
      turn()
      await new Promise(setImmediate)
      // One slice, and the step that each of them must take to make progress.
      expect(done.one + done.other - before).toBeLessThanOrEqual(sliceInMilliseconds + 2)
    }
    turn()
    await both
    expect(done).toEqual({ one: 10, other: 10 })
  })
})
