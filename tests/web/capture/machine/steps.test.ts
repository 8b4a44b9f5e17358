import { expect, test } from 'vitest'
import { answered } from '#web/capture/machine/steps.ts'

const step = (number: number, size?: number) => ({
  step: number,
  action: 'comeCloser' as const,
  ...(size !== undefined && { size }),
  timeLimitInSeconds: 10,
})
type Context = Parameters<typeof answered>[1]
const context = { accepted: 0, framesSent: 8, progress: { kind: 'step', step: step(1, 1.6) } } as Context
const answer = (next: ReturnType<typeof step> | null, accepted = true) =>
  ({ type: 'stepAnswered', next, accepted, request: false, dropped: 0, at: 0 }) as const

test('an action of sizes is counted when its last one was reached', () => {
  expect(answered(answer(step(2, 1.2)), context).accepted).toBe(0)
  expect(answered(answer(null), context).accepted).toBe(1)
  expect(answered(answer(step(2)), context).accepted).toBe(1)
  expect(answered(answer(null, false), context).accepted).toBe(0)
})
