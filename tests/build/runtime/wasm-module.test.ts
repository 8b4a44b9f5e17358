import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runtimeFile } from '../../../build/runtime/slim-runtime.ts'
import {
  importedFunctions,
  readBodies,
  readCode,
  readNumber,
  sections,
  writeBodies,
  writeNumber,
  writeSections,
} from '../../../build/runtime/wasm-module.ts'

const runtime = new Uint8Array(readFileSync(runtimeFile))

test.each([0, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 - 1])('%d is read as it was written', (number) => {
  const bytes = writeNumber(number)
  expect(readNumber(bytes, 0)).toEqual([number, bytes.length])
})

test('a module whose functions are taken out and put back is the same, byte for byte', () => {
  const whole = writeSections(runtime, ({ id, content }) =>
    id === sections.code ? writeBodies(readBodies(content)) : content,
  )
  expect(Buffer.compare(whole, runtime)).toBe(0)
})

test('imported functions come first, and are not among the bodies', () => {
  expect(importedFunctions(runtime)).toBe(100)
  expect(readBodies(readCode(runtime)).length).toBeGreaterThan(10_000)
})

test('what is no module is refused', () => {
  expect(() => readCode(Uint8Array.from(Buffer.from('GIF89a..')))).toThrow('not a WebAssembly module')
})
