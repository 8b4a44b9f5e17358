import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import called from './called-functions.json' with { type: 'json' }
import { directCalls } from './direct-calls.ts'
import {
  importedFunctions,
  readBodies,
  readCode,
  sections,
  writeBodies,
  writeSections,
} from './wasm-module.ts'

/** The WebAssembly of the runtime, as its package ships it. */
export const runtimeFile = 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'

/** No locals; `unreachable`; the end. */
const trap = Uint8Array.of(0x00, 0x00, 0x0b)

/**
 * [Note: The runtime without what no network calls] Most of the runtime are operators that none of the networks has. A
 * function stays whose body ran while `npm run runtime` watched, and all that such a one calls by its number, so also
 * what it does when something goes wrong. The others, which only a table leads to, become a trap; numbers and tables
 * stay as they are.
 * @param module as the package ships it
 * @param ran the numbers, among the functions that the module defines, of those that ran
 */
export function withoutUncalled(module: Uint8Array, ran: Iterable<number>): Uint8Array {
  const imported = importedFunctions(module)
  const bodies = readBodies(readCode(module))
  const kept = new Set(ran)
  // A set hands out what is added to it while it is gone through.
  for (const own of kept) {
    for (const callee of directCalls(bodies[own]!)) if (callee >= imported) kept.add(callee - imported)
  }
  const slim = bodies.map((body, own) => (kept.has(own) ? body : trap))
  return writeSections(module, ({ id, content }) => (id === sections.code ? writeBodies(slim) : content))
}

let written: string | undefined

/**
 * Writes the slim runtime where the build takes it from, once, and tells where.
 * @throws where the installed package is not the one that was watched
 */
export function writeSlimRuntime(): string {
  written ??= writeAnew()
  return written
}

function writeAnew(): string {
  const module = readFileSync(runtimeFile)
  if (digestOf(module) !== called.module)
    throw new Error('onnxruntime-web is another one than was watched: run npm run runtime')
  const folder = resolve('.cache', 'runtime')
  const path = join(folder, basename(runtimeFile))
  mkdirSync(folder, { recursive: true })
  // Another build may read it at the same time.
  const part = `${path}.${process.pid}.part`
  writeFileSync(part, withoutUncalled(module, readNumbers(called.ran)))
  renameSync(part, path)
  return path
}

export function digestOf(module: Uint8Array): string {
  return createHash('sha256').update(module).digest('hex')
}

/** A set of numbers as a field of bits in base64, and back. */
export function writeNumbers(numbers: ReadonlySet<number>): string {
  const bits = new Uint8Array(Math.floor(Math.max(-1, ...numbers) / 8) + 1)
  for (const number of numbers) bits[number >> 3]! |= 1 << (number & 7)
  return Buffer.from(bits).toString('base64')
}

export function readNumbers(text: string): number[] {
  const bits = Buffer.from(text, 'base64')
  return Array.from({ length: bits.length * 8 }, (_, number) => number).filter(
    (number) => (bits[number >> 3]! >> (number & 7)) & 1,
  )
}
