import { describe, expect, test } from 'vitest'
import {
  type Candidate,
  frameLimits,
  roomForClosing,
  roomForStep,
  selectClosing,
  selectFrontal,
  selectSized,
  selectStep,
} from '#web/capture/analysis/selection.ts'

const candidate = (time: number, more: Partial<Candidate> = {}): Candidate => ({
  bytes: new Uint8Array([time % 256]),
  time,
  strength: 0,
  merit: 1,
  stray: false,
  ...more,
})
const timesOf = (pictures: { time: number }[]) => pictures.map(({ time }) => time)

describe('the frontal pictures', () => {
  test('are the best three, apart from each other, in order', () => {
    const merits = [1, 5, 4.9, 2, 4, 3, 1, 4.5]
    const candidates = merits.map((merit, index) => candidate(index * 150, { merit }))
    expect(timesOf(selectFrontal(candidates))).toEqual([150, 600, 1050])
  })

  test('are fewer if there are no more', () => {
    expect(timesOf(selectFrontal([candidate(10), candidate(20)]))).toEqual([10, 20])
    expect(selectFrontal([])).toEqual([])
  })
})

describe('the pictures of a size', () => {
  const strengths = [0.1, 0.3, 0.5, 1, 0.7, 1, 1, 1]
  const candidates = strengths.map((strength, index) => candidate(index * 100, { strength }))

  test('are the beginning, one midway, and the last two at that size', () => {
    expect(timesOf(selectSized(candidates, 5))).toEqual([0, 300, 600, 700])
  })

  test('end with the size, however little room there is', () => {
    expect(timesOf(selectSized(candidates, 1))).toEqual([700])
    expect(timesOf(selectSized(candidates, 0))).toEqual([700])
  })

  test('are the available ones if it was not reached', () => {
    expect(timesOf(selectSized(candidates.slice(0, 3), 5))).toEqual([0, 100, 200])
    expect(timesOf(selectSized([candidate(40)], 5))).toEqual([40])
    expect(selectSized([], 5)).toEqual([])
  })
})

describe('the pictures of a step', () => {
  const strengths = [0.05, 0.1, 0.3, 0.5, 0.8, 1.1, 1.3]
  const candidates = strengths.map((strength, index) => candidate(index * 150, { strength }))

  test('are the last straight one, one midway and the two strongest', () => {
    expect(timesOf(selectStep(candidates, 5))).toEqual([150, 450, 750, 900])
  })

  test('begin with the straightest if the head never held still', () => {
    expect(timesOf(selectStep(candidates.slice(2), 5))).toEqual([300, 450, 750, 900])
  })

  test('include the first straight one of the way back if none came before', () => {
    const back = [1200, 1350].map((time) => candidate(time, { strength: 0.05 }))
    expect(timesOf(selectStep([...candidates.slice(5), ...back], 5))).toEqual([750, 900, 1200, 1350])
    expect(timesOf(selectStep([...candidates.slice(5), ...back], 3))).toEqual([750, 900, 1200])
  })

  test('keep the straight one before a different action', () => {
    const strays = [60, 400].map((time) => candidate(time, { stray: true, strength: 1.4 }))
    expect(timesOf(selectStep([...candidates, ...strays], 3))).toEqual([150, 750, 900])
  })

  test('go no further than a clear view of the action: of those, the best', () => {
    const profile = [2.1, 2.4, 3.5, 4.4].map((strength, i) =>
      candidate(1050 + i * 150, { strength, merit: 1 - strength / 10 }),
    )
    expect(timesOf(selectStep([...candidates, ...profile], 2))).toEqual([1050, 1200])
  })

  test('show a different action if one was performed', () => {
    const stray = candidate(400, { stray: true, strength: 1.4 })
    expect(timesOf(selectStep([...candidates, stray], 5))).toContain(400)
  })

  test('first omit the least important', () => {
    expect(timesOf(selectStep(candidates, 2))).toEqual([750, 900])
    expect(selectStep(candidates, 0)).toHaveLength(1)
  })
})

describe('the pictures of the last hold', () => {
  test('are three frontal ones and unrequested movements', () => {
    const candidates = [0, 400, 800, 1200].map((time) => candidate(time))
    const stray = candidate(600, { stray: true, strength: 2 })
    expect(timesOf(selectClosing([...candidates, stray], 5))).toHaveLength(4)
    expect(timesOf(selectClosing([...candidates, stray], 5))).toContain(600)
    expect(selectClosing([...candidates, stray], 1)).toHaveLength(1)
  })
})

test('no session sends more than 24 frames', () => {
  let sent = frameLimits.frontal
  for (let step = 0; step < 6; step++) sent += Math.max(1, roomForStep(sent))
  expect(sent + roomForClosing(sent)).toBeLessThanOrEqual(frameLimits.inAll + 1)
  let usual = frameLimits.frontal
  for (let step = 0; step < 4; step++) usual += roomForStep(usual)
  expect(usual + roomForClosing(usual)).toBeLessThanOrEqual(24)
})
