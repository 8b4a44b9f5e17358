import { afterLocals } from '../../build/runtime/direct-calls.ts'
import {
  importedGlobals,
  joined,
  readBodies,
  readCode,
  readNumber,
  sections,
  writeBodies,
  writeNumber,
  writeSections,
} from '../../build/runtime/wasm-module.ts'

const i32 = 0x7f
const mutable = 1
const constant = 0x41
const end = 0x0b
const setGlobal = 0x24
const exportedGlobal = 3

/** A module whose functions note that they ran, and what reads these notes from an instance of it. */
export interface Marked {
  readonly module: Uint8Array
  /** The numbers, among the functions that the module defines, of those that ran. */
  ran(instance: WebAssembly.Instance): Set<number>
}

/** Gives each function a global of its own, exported as `ran N`, which its first instruction sets to 1. */
export function marked(module: Uint8Array): Marked {
  const bodies = readBodies(readCode(module))
  let first = importedGlobals(module)
  const withMarks = (content: Uint8Array, marks: readonly Uint8Array[]) => {
    const [count, next] = readNumber(content, 0)
    return joined([writeNumber(count + marks.length), content.subarray(next), ...marks])
  }
  const changed = writeSections(module, ({ id, content }) => {
    if (id === sections.global) {
      first += readNumber(content, 0)[0]
      return withMarks(
        content,
        bodies.map(() => Uint8Array.of(i32, mutable, constant, 0, end)),
      )
    }
    if (id === sections.export)
      return withMarks(
        content,
        bodies.map((_, own) => exportOf(nameOf(own), first + own)),
      )
    if (id === sections.code) return writeBodies(bodies.map((body, own) => noting(body, first + own)))
    return content
  })
  return {
    module: changed,
    ran({ exports }) {
      const marks = bodies.map((_, own) => (exports[nameOf(own)] as WebAssembly.Global).value === 1)
      return new Set(marks.flatMap((isSet, own) => (isSet ? [own] : [])))
    },
  }
}

function nameOf(own: number): string {
  return `ran ${own}`
}

function exportOf(name: string, global: number): Uint8Array {
  const text = new TextEncoder().encode(name)
  return joined([writeNumber(text.length), text, Uint8Array.of(exportedGlobal), writeNumber(global)])
}

function noting(body: Uint8Array, global: number): Uint8Array {
  const start = afterLocals(body)
  const note = joined([Uint8Array.of(constant, 1, setGlobal), writeNumber(global)])
  return joined([body.subarray(0, start), note, body.subarray(start)])
}
