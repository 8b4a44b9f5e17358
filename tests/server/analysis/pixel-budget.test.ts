import { describe, expect, test } from 'vitest'
import { createPixelBudget } from '#server/analysis/pixel-budget.ts'

/** Works on pictures of so many pixels until it is told that one is done. */
function start(mostPixels: number) {
  const withinBudget = createPixelBudget(mostPixels)
  const running = new Map<string, () => void>()
  const work = (name: string, pixels: number) =>
    withinBudget(pixels, () => new Promise<void>((done) => running.set(name, done)))
  const finish = async (name: string) => {
    running.get(name)!()
    running.delete(name)
    await tick()
  }
  return { work, running: () => [...running.keys()], finish }
}

const tick = () => new Promise((done) => setTimeout(done, 1))

describe('the pixels in flight', () => {
  test('are bounded; whatever fits beside the others runs, in order', async () => {
    const { work, running, finish } = start(80)
    for (const [name, pixels] of [
      ['a', 40],
      ['b', 40],
      ['c', 1],
      ['d', 40],
    ] as const)
      void work(name, pixels)
    await tick()
    expect(running()).toEqual(['a', 'b'])
    await finish('a')
    expect(running()).toEqual(['b', 'c'])
    await finish('b')
    expect(running()).toEqual(['c', 'd'])
  })

  test('let a picture alone that is larger than all of them', async () => {
    const { work, running } = start(10)
    void work('large', 40)
    await tick()
    expect(running()).toEqual(['large'])
  })

  test('are free again when the work fails', async () => {
    const withinBudget = createPixelBudget(10)
    await expect(withinBudget(10, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await withinBudget(10, async () => 'done')).toBe('done')
  })
})
