import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BufferRequest, planMemory } from '#workers/web/provider/memory-plan.ts'

const request = (output: string, bytes: number, inputs: string[], scratch = 0): BufferRequest => ({
  output,
  bytes,
  inputs,
  scratch,
})

test('the memory of a value without further readers is used again', () => {
  const { bytes, offsets } = planMemory(
    [request('a', 640, []), request('b', 640, ['a']), request('c', 640, ['b']), request('d', 640, ['c'])],
    new Set(['d']),
  )
  expect(offsets.get('c')).toBe(offsets.get('a'))
  expect(bytes).toBe(2 * 640)
})

test('a result is never overwritten', () => {
  const { offsets } = planMemory(
    [request('a', 64, []), request('b', 64, ['a']), request('c', 64, ['b'])],
    new Set(['a', 'c']),
  )
  expect(new Set(offsets.values()).size).toBe(3)
})

test('no step overwrites data that it or a later one reads', () => {
  const drawn = fc.array(
    fc.record({
      bytes: fc.integer({ min: 1, max: 900 }),
      scratch: fc.integer({ min: 0, max: 500 }),
      from: fc.array(fc.nat(20), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  fc.assert(
    fc.property(drawn, (steps) => {
      const requests = steps.map(({ bytes, scratch, from }, at) =>
        request(`${at}`, bytes, from.filter((one) => one < at).map(String), scratch),
      )
      const result = `${requests.length - 1}`
      const plan = planMemory(requests, new Set([result]))
      const lastUse = (name: string) =>
        Math.max(Number(name), ...requests.flatMap(({ inputs }, at) => (inputs.includes(name) ? [at] : [])))
      const stretches = requests.flatMap(({ output, bytes, scratch }, at) => {
        const start = plan.offsets.get(output)!
        const own = {
          first: at,
          last: output === result ? requests.length : lastUse(output),
          start,
          end: start + bytes,
        }
        const more = plan.scratch.get(output)
        return more === undefined ? [own] : [own, { first: at, last: at, start: more, end: more + scratch }]
      })
      for (const [i, a] of stretches.entries()) {
        expect(a.end).toBeLessThanOrEqual(plan.bytes)
        for (const b of stretches.slice(i + 1)) {
          const together = a.first <= b.last && b.first <= a.last
          if (together) expect(a.end <= b.start || b.end <= a.start).toBe(true)
        }
      }
    }),
  )
})
