import { dirname, relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { runtimeFile, writeSlimRuntime } from './slim-runtime.ts'

/** As the runtime's own script names the file that it would load if it were told no other. */
const ownAddress = 'new URL("ort-wasm-simd-threaded.wasm",import.meta.url)'

/** Asked for by its address, so with `?url` behind it. */
export const runtimeAddress = /^onnxruntime-web\/ort-wasm-simd-threaded\.wasm/

/** In the bundle of a worker the runtime's script names the slim file, so that the whole one is not built beside it. */
export function slimRuntime(): Plugin {
  const slim = relative(dirname(runtimeFile), writeSlimRuntime()).split(sep).join('/')
  return {
    name: 'slim-runtime',
    enforce: 'pre',
    transform(code) {
      if (!code.includes(ownAddress)) return
      return { code: code.replaceAll(ownAddress, ownAddress.replace(/"[^"]+"/, `"${slim}"`)), map: null }
    },
  }
}
