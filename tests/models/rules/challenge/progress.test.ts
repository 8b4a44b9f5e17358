import { describe, expect, test } from 'vitest'
import {
  advance,
  type ChallengeProgress,
  type Draw,
  drawInOrder,
  firstProgress,
  nextStepOf,
  restart,
} from '#models/rules/challenge/progress.ts'
import { actionsPerformed } from '#models/rules/challenge/step.ts'

const sizes = [1.6, 1.15]
const closer: Draw = () => ({ action: 'comeCloser', sizes })
const left: Draw = () => ({ action: 'turnLeft', sizes: [] })

function go(progress: ChallengeProgress, accepted: boolean, draw: Draw, actionCount = 1): ChallengeProgress {
  const { action } = progress.open!
  const reason = action === null ? null : accepted ? 'performed' : 'notPerformed'
  return advance(progress, { accepted, reason, answeredAt: 1 }, { actionCount, draw, now: 2 })
}

const begun = go(firstProgress(0, 900_000), true, closer)

describe('a challenge of sizes', () => {
  test('asks for one size per step, and for the next one after it was reached', () => {
    expect(nextStepOf(begun.open!)).toEqual({
      step: 1,
      action: 'comeCloser',
      size: 1.6,
      timeLimitInSeconds: 10,
    })
    expect(JSON.stringify(begun.answered[0]!.answer)).not.toContain('1.15')
    const reached = go(begun, true, left)
    expect(reached.answered[1]!.answer).toEqual({
      accepted: true,
      next: { step: 2, action: 'comeCloser', size: 1.15, timeLimitInSeconds: 10 },
    })
    expect(reached.drawn).toEqual(['comeCloser'])
  })

  test('is one action, and its last size counts', () => {
    const reached = go(begun, true, left)
    expect(actionsPerformed(reached.answered)).toBe(0)
    const done = go(reached, true, left)
    expect(actionsPerformed(done.answered)).toBe(1)
    expect(done.open).toBeNull()
    expect(go(go(go(begun, true, left, 3), true, left, 3), true, left, 3).open).toMatchObject({
      step: 4,
      action: 'turnLeft',
    })
  })

  test('replaces a missed size by another action and drops the remaining sizes', () => {
    const missed = go(begun, false, left)
    expect(missed.open).toEqual({ step: 2, action: 'turnLeft', revealedAt: 2, timeLimitInSeconds: 10 })
    expect(go(missed, true, closer).open).toBeNull()
    expect(go(missed, false, closer).open).toBeNull()
  })

  test('keeps its size and its longer time after a request for more time', () => {
    const plan = { allowAlternative: true, draw: left, now: 7 }
    const again = restart(begun, 'moreTime', plan)!
    expect(again.open).toMatchObject({ size: 1.6, sizesLeft: [1.15], revealedAt: 7, timeLimitInSeconds: 20 })
    expect(go(again, true, left).open).toMatchObject({ size: 1.15, timeLimitInSeconds: 20 })
  })

  test('is dropped after a request for another action', () => {
    const other = restart(begun, 'otherAction', { allowAlternative: true, draw: left, now: 7 })!
    expect(other.open).toEqual({ step: 1, action: 'turnLeft', revealedAt: 7, timeLimitInSeconds: 20 })
    expect(other).toMatchObject({ drawn: ['comeCloser', 'turnLeft'], alternativeAction: 'turnLeft' })
  })

  test('starts if it is drawn in place of another action', () => {
    const turned = go(firstProgress(0, 900_000), true, left)
    const draw: Draw = (drawn, drawing) => {
      expect([drawn, drawing]).toEqual([['turnLeft'], { insteadOf: 'turnLeft', mustTurn: true }])
      return { action: 'comeCloser', sizes }
    }
    const other = restart(turned, 'otherAction', { allowAlternative: true, draw, now: 7 })!
    expect(nextStepOf(other.open!)).toMatchObject({ step: 1, action: 'comeCloser', size: 1.6 })
  })
})

describe('a plan drawn in advance', () => {
  const actions = ['turnLeft', 'lookUp', 'comeCloser', 'smile'] as const
  const draw = drawInOrder({ actions: [...actions], sizes })

  test('is requested in its order, with its sizes', () => {
    expect(draw([])).toEqual({ action: 'turnLeft', sizes: [] })
    expect(draw(['turnLeft', 'lookUp'])).toEqual({ action: 'comeCloser', sizes })
    expect(draw([...actions])).toBeUndefined()
  })

  test('asks for coming closer in place of a turn, once', () => {
    expect(draw(['turnLeft'], { insteadOf: 'turnLeft' })).toEqual({ action: 'comeCloser', sizes })
    expect(draw(['turnLeft', 'comeCloser'], { insteadOf: 'turnLeft' })).toEqual({
      action: 'comeCloser',
      sizes,
    })
    expect(draw(['turnLeft', 'comeCloser', 'comeCloser'], { insteadOf: 'lookUp' })).toEqual({
      action: 'smile',
      sizes: [],
    })
  })

  test('that repeats turns puts the next turn first until one was accepted, and at the first exchange', () => {
    const again = drawInOrder({
      actions: ['turnLeft', 'smile', 'turnRight', 'blink', 'lookUp'],
      turnsAgain: true,
    })
    const next = (...args: Parameters<typeof again>) => again(...args)?.action
    expect(next([], { mustTurn: true })).toBe('turnLeft')
    expect(next(['turnLeft'], { mustTurn: true })).toBe('turnRight')
    expect(next(['turnLeft'], { mustTurn: false })).toBe('smile')
    expect(next(['turnLeft', 'turnRight'], { mustTurn: false })).toBe('smile')
    expect(next(['turnLeft'], { insteadOf: 'turnLeft', mustTurn: true })).toBe('turnRight')
    expect(next(['turnLeft', 'turnRight'], { insteadOf: 'turnRight' })).toBe('smile')
    expect(next(['turnLeft', 'turnRight', 'lookUp'], { mustTurn: true })).toBe('smile')
    expect(next(['turnLeft', 'turnRight', 'lookUp', 'smile', 'blink'], { mustTurn: true })).toBeUndefined()
  })

  test('keeps its order if it was drawn before that rule', () => {
    const former = drawInOrder({ actions: ['turnLeft', 'smile', 'turnRight'] })
    expect(former(['turnLeft'], { mustTurn: true })?.action).toBe('smile')
  })

  test('accepts any growth if it is older than sizes, and has none without sizes', () => {
    expect(drawInOrder({ actions: ['comeCloser'] })([])).toEqual({ action: 'comeCloser', sizes: [] })
    expect(drawInOrder({})([])).toBeUndefined()
  })
})
