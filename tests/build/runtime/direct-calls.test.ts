import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { directCalls } from '../../../build/runtime/direct-calls.ts'
import { runtimeFile } from '../../../build/runtime/slim-runtime.ts'
import { importedFunctions, readBodies, readCode } from '../../../build/runtime/wasm-module.ts'

const call = 0x10
const end = 0x0b
const instructions = (...bytes: number[]) => directCalls(Uint8Array.of(0, ...bytes, end))

test('what is called or handed on by its number is told', () => {
  expect(instructions(call, 3, 0xd2, 0x85, 0x01, 0x12, 4)).toEqual(new Set([3, 133, 4]))
})

test.each([
  ['a constant of 32 bits', [0x41, call, 0x1a]],
  ['a constant of 64 bits in floating point', [0x44, ...Array(8).fill(call), 0x1a]],
  ['an address', [0x28, 2, call]],
  ['an address in another memory', [0x28, 0x42, 0, call]],
  ['a vector', [0xfd, 12, ...Array(16).fill(call)]],
  ['a lane that is loaded', [0xfd, 84, 0, call, call]],
  ['a fence', [0xfe, 3, call]],
  ['a branch table', [0x0e, 2, call, call, call]],
  ['a copy of memory', [0xfc, 10, call, call]],
  ['a call by a table', [0x11, call, call]],
  ['locals', []],
])('%s is no call', (_, bytes) => {
  expect(instructions(...bytes, call, 7)).toEqual(new Set([7]))
})

test('locals are passed over', () => {
  expect(directCalls(Uint8Array.of(1, call, 0x7f, call, 7, end))).toEqual(new Set([7]))
})

test('every function of the runtime is read to its end, and calls functions that there are', () => {
  const runtime = new Uint8Array(readFileSync(runtimeFile))
  const bodies = readBodies(readCode(runtime))
  const largest = bodies.reduce((most, body) => Math.max(most, ...directCalls(body)), 0)
  expect(largest).toBeLessThan(bodies.length + importedFunctions(runtime))
})

test('an instruction that is not known is refused, and one that is cut off', () => {
  expect(() => instructions(0xff)).toThrow('not known')
  expect(() => directCalls(Uint8Array.of(0, 0x44, 0, end))).toThrow('misread')
})
