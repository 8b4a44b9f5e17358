import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { drawAction } from '#models/rules/challenge/draw-action.ts'
import { type Action, actions } from '#shared/contract/sessions/session.ts'

describe('drawing actions', () => {
  const last = (below: number) => below - 1

  test('repeats none while others are left', () => {
    const drawn: Action[] = []
    for (let i = 0; i < actions.length; i++) drawn.push(drawAction(actions, drawn, randomInt))
    expect(new Set(drawn).size).toBe(actions.length)
  })

  test('repeats none twice in a row when all were drawn', () => {
    expect(drawAction(['blink', 'smile'], ['smile', 'blink'], last)).toBe('smile')
    expect(drawAction(['blink', 'smile'], ['blink', 'smile'], last)).toBe('blink')
    expect(drawAction(['blink'], ['blink'], randomInt)).toBe('blink')
  })

  const countsOf = (drawn: readonly Action[]) => {
    const counts = new Map<Action, number>()
    for (let i = 0; i < 6000; i++) {
      const action = drawAction(actions, drawn, randomInt)
      counts.set(action, (counts.get(action) ?? 0) + 1)
    }
    return counts
  }

  test('draws each turn of the head about equally often as the first action, and no other', () => {
    const counts = countsOf([])
    expect([...counts.keys()].sort()).toEqual(['lookUp', 'turnLeft', 'turnRight'])
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(250)
  })

  test('draws each of the others about equally often afterwards', () => {
    const counts = countsOf(['turnLeft'])
    expect(counts.size).toBe(actions.length - 1)
    for (const count of counts.values()) expect(Math.abs(count - 1200)).toBeLessThan(200)
  })

  test('asks for another turn until one was accepted, or for the same one if there is no other', () => {
    for (let i = 0; i < 50; i++) {
      const turn = drawAction(actions, ['turnLeft'], randomInt, { mustTurn: true })
      expect(['turnRight', 'lookUp']).toContain(turn)
      const other = drawAction(actions, ['turnLeft'], randomInt, { insteadOf: 'turnLeft', mustTurn: true })
      expect(['turnRight', 'lookUp']).toContain(other)
    }
    expect(drawAction(['turnLeft', 'smile'], ['turnLeft'], randomInt, { mustTurn: true })).toBe('turnLeft')
  })

  test('replaces a second turn with an action that does not turn the head, preferably coming closer', () => {
    const instead = { insteadOf: 'turnRight' as const }
    expect(drawAction(actions, ['turnLeft', 'turnRight'], randomInt, instead)).toBe('comeCloser')
    const few = ['turnLeft', 'turnRight', 'lookUp', 'smile'] as const
    expect(drawAction(few, ['turnLeft', 'turnRight'], randomInt, instead)).toBe('smile')
    const only = ['turnLeft', 'turnRight', 'lookUp'] as const
    expect(drawAction(only, ['turnLeft', 'turnRight'], randomInt, instead)).toBe('lookUp')
  })

  test('starts with any action if none turns the head', () => {
    expect(drawAction(['blink', 'smile'], [], last)).toBe('smile')
  })
})
