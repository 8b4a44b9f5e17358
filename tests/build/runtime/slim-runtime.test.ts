import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import called from '../../../build/runtime/called-functions.json' with { type: 'json' }
import {
  digestOf,
  readNumbers,
  runtimeFile,
  withoutUncalled,
  writeNumbers,
  writeSlimRuntime,
} from '../../../build/runtime/slim-runtime.ts'

const program = 'lab/runtime/answers.ts'

/** `a` calls `b` by its number; a table leads to `b` and to `c`; `a` and `c` are exported, `b` and `c` answer 5 and 6. */
const threeFunctions = [
  '0061736d01000000',
  '01 05 01 60 00 01 7f',
  '03 04 03 00 00 00',
  '04 04 01 70 00 02',
  '07 09 02 01 61 00 00 01 63 00 02',
  '09 08 01 00 41 00 0b 02 01 02',
  '0a 10 03 04 00 10 01 0b 04 00 41 05 0b 04 00 41 06 0b',
].map((section) => section.replaceAll(' ', ''))

/** What a runtime answers, in a process of its own: one process has one runtime. */
async function answersOf(file: string): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, file])
  return JSON.parse(stdout)
}

test('every network answers with the slim runtime what it answers with the whole one, to the last bit', async () => {
  const slim = await answersOf(writeSlimRuntime())
  expect(Object.keys(slim).length).toBeGreaterThanOrEqual(10)
  expect(slim).toEqual(await answersOf(runtimeFile))
})

test('the slim runtime is less than half of the whole one', () => {
  expect(statSync(writeSlimRuntime()).size).toBeLessThan(statSync(runtimeFile).size / 2)
})

test('what ran was watched in the package that is installed', () => {
  expect(called.module).toBe(digestOf(readFileSync(runtimeFile)))
})

test('what a function calls by its number stays, and what only a table leads to becomes a trap', async () => {
  const whole = Uint8Array.from(Buffer.from(threeFunctions.join(''), 'hex'))
  expect(WebAssembly.validate(whole)).toBe(true)
  const { instance } = await WebAssembly.instantiate(withoutUncalled(whole, [0]) as Uint8Array<ArrayBuffer>)
  const { a, c } = instance.exports as Record<string, () => number>
  expect(a!()).toBe(5)
  expect(c!).toThrow('unreachable')
})

test.each([[[]], [[0]], [[7, 8]], [[0, 17_287]]])('a set of numbers comes back: %j', (numbers) => {
  expect(readNumbers(writeNumbers(new Set(numbers)))).toEqual(numbers)
})
