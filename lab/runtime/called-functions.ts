import { readFileSync, writeFileSync } from 'node:fs'
import * as ort from 'onnxruntime-web/wasm'
import { digestOf, runtimeFile, writeNumbers } from '../../build/runtime/slim-runtime.ts'
import { readWords } from '../../build/usage.ts'
import { goEveryWay } from './every-way.ts'
import { marked } from './marked.ts'

const usage = `Usage: npm run runtime

Watches which functions of the runtime the networks call, and writes them into build/runtime/called-functions.json, by
which the build leaves out the others. Needed after another onnxruntime-web or another network came in.`

readWords(usage, {})

const module = new Uint8Array(readFileSync(runtimeFile))
const watched = marked(module)
let instance: WebAssembly.Instance | undefined
const instantiate = WebAssembly.instantiate
WebAssembly.instantiate = (async (source: BufferSource, imports: WebAssembly.Imports) => {
  const result = await instantiate(source, imports)
  instance = result.instance
  return result
}) as typeof WebAssembly.instantiate
ort.env.wasm.numThreads = 1
ort.env.wasm.wasmBinary = watched.module as Uint8Array<ArrayBuffer>
await goEveryWay(ort)
const ran = watched.ran(instance!)
const list = { module: digestOf(module), ran: writeNumbers(ran) }
writeFileSync('build/runtime/called-functions.json', `${JSON.stringify(list, null, 2)}\n`)
console.log(`${ran.size} functions ran.`)
