import { describe, expect, test } from 'vitest'
import { oneAtATime, ortSession } from '#workers/ort-session.ts'

/** A runtime that doubles its input, counts allocations, and fails if it runs concurrently. */
function doublingRuntime() {
  const held = { tensors: 0, entered: 0, most: 0 }
  class Tensor {
    readonly data: Float32Array
    readonly dims: readonly number[]
    constructor(_type: 'float32', data: Float32Array, dims: readonly number[]) {
      this.data = data
      this.dims = dims
      held.tensors++
    }
    dispose() {
      held.tensors--
      this.data.fill(Number.NaN)
    }
  }
  const session = {
    inputNames: ['input'],
    async run(feeds: Record<string, Tensor>) {
      held.entered++
      held.most = Math.max(held.most, held.entered)
      await new Promise((resolve) => setTimeout(resolve, 2))
      held.entered--
      const { data, dims } = feeds.input!
      if (data.length === 0) throw new Error('nothing to run on')
      return {
        doubled: new Tensor(
          'float32',
          data.map((value) => 2 * value),
          dims,
        ),
      }
    },
  }
  return { held, runtime: { Tensor }, session: session as never }
}

const input = (...data: number[]) => ({ data: Float32Array.from(data), dims: [1, data.length] })

describe('a session of a runtime', () => {
  test('returns the outputs by name, copied out of the runtime’s memory', async () => {
    const { held, runtime, session } = doublingRuntime()
    const { doubled } = await ortSession(runtime, session, oneAtATime()).run(input(1, 2))
    expect(doubled).toEqual(input(2, 4))
    expect(held.tensors).toBe(0)
  })

  test('runs once at a time, even next to another session of the same runtime', async () => {
    const { held, runtime, session } = doublingRuntime()
    const turn = oneAtATime()
    const sessions = [ortSession(runtime, session, turn), ortSession(runtime, session, turn)]
    const answers = await Promise.all([1, 2, 3, 4].map((value) => sessions[value % 2]!.run(input(value))))
    expect(answers.map(({ doubled }) => doubled!.data[0])).toEqual([2, 4, 6, 8])
    expect(held.most).toBe(1)
  })

  test('continues after a run that failed', async () => {
    const { runtime, session } = doublingRuntime()
    const ours = ortSession(runtime, session, oneAtATime())
    const failing = ours.run(input())
    const next = ours.run(input(5))
    await expect(failing).rejects.toThrow('nothing to run on')
    expect((await next).doubled!.data[0]).toBe(10)
  })
})
