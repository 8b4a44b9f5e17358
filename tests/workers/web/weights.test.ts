import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { WrongFile } from '#workers/web/download.ts'
import { addressOfWeights, fetchWeights } from '#workers/web/weights.ts'

const name = 'fr-eye'
const genuine = await readFile(`models/weights/${name}.onnx`)
const damaged = Buffer.from(genuine).fill(0, 100, 200)

/** Fetches from a network that gives its answers in this order and repeats the last one. Also returns the addresses. */
async function fetchFrom(...answers: readonly (Buffer | 'page')[]) {
  const asked: string[] = []
  const fetch = async (address: string) => {
    asked.push(address)
    const answer = answers[Math.min(asked.length, answers.length) - 1]!
    if (answer === 'page')
      return new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } })
    return new Response(Uint8Array.from(answer))
  }
  const weights = await fetchWeights(name, { fetch, pauses: [] }).catch((error: unknown) => error)
  const isGenuine = weights instanceof Uint8Array && Buffer.compare(weights, genuine) === 0
  return { weights, isGenuine, asked }
}

describe('weights', () => {
  const address = addressOfWeights(name)

  test('are fetched once', async () => {
    const { isGenuine, asked } = await fetchFrom(genuine)
    expect(isGenuine).toBe(true)
    expect(asked).toEqual([address])
  })

  test.each([
    ['a page', 'page' as const],
    ['damaged weights', damaged],
  ])('are fetched past all caches if %s came', async (_name, first) => {
    const { isGenuine, asked } = await fetchFrom(first, genuine)
    expect(isGenuine).toBe(true)
    expect(asked).toEqual([address, `${address}?anew`])
  })

  test.each([
    ['a page', 'page' as const],
    ['damaged weights', damaged],
  ])('are named if %s comes twice', async (_name, answer) => {
    const { weights, asked } = await fetchFrom(answer)
    expect(weights).toBeInstanceOf(WrongFile)
    expect(String(weights)).toContain(address)
    expect(asked).toHaveLength(2)
  })
})
