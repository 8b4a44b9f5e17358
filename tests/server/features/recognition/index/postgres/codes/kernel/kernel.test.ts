import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileKernel } from '#lab/kernel/compile-kernel.ts'
import { openCodeKernel } from '#server/features/recognition/index/postgres/codes/kernel/open-code-kernel.ts'
import { hammingDistance } from '#server/features/recognition/index/postgres/codes/sign-code.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { engine } from '#shared/web-assembly.ts'

const folder = 'server/features/recognition/index/postgres/codes/kernel'
const [foundAt, codesAt] = [4096, 16_384]

test('is what kernel.as compiles to', async () => {
  expect(await readFile(`${folder}/compiled-kernel.ts`, 'utf8')).toBe(await compileKernel(folder))
})

test.each([
  [512, 230],
  [128, 60],
  [512, 0],
  [512, 512],
])('codes of %i bits that differ in %i at most are found', (bits, most) => {
  const random = randomNumbers(bits + most)
  const bytes = bits / 8
  const draw = () => Uint8Array.from({ length: bytes }, () => Math.floor(random() * 256))
  const query = draw()
  // Some of them are the query with one part redrawn, so that every distance occurs.
  const codes = Array.from({ length: 500 }, (_, i) =>
    draw().map((byte, place) => (place < i % (bytes + 1) ? query[place]! : byte)),
  )
  codes.push(
    query,
    query.map((byte) => ~byte),
  )
  const memory = new engine.Memory({ initial: 2, maximum: 2 })
  const kernel = openCodeKernel(memory)
  const all = new Uint8Array(memory.buffer)
  all.set(query)
  for (const [i, code] of codes.entries()) all.set(code, codesAt + i * bytes)

  const count = kernel.near(codesAt, codes.length, bytes, 0, most, foundAt)
  const found = [...new Int32Array(memory.buffer, foundAt, count)]
  const near = codes.flatMap((code, i) => (hammingDistance(code, query) <= most ? [i] : []))
  expect(near.length).toBeGreaterThan(0)
  expect(found).toEqual(near)
})
