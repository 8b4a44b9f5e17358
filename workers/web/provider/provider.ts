import * as ort from 'onnxruntime-web/wasm'
import type { Tensor } from '#models/networks/session.ts'
import { type Kernel, openKernel } from './kernel/kernel.ts'
import { input, openNetwork } from './network.ts'

/** The name by which sessions ask for the kernel: an execution provider of onnxruntime-web, next to its own `wasm`. */
const kernelProvider = 'selfsame'

type Backend = Parameters<typeof ort.registerBackend>[1]
type Handler = Awaited<ReturnType<Backend['createInferenceSessionHandler']>>

let kernel: Kernel | undefined
// A priority below 0: nobody gets it who does not ask for it.
ort.registerBackend(
  kernelProvider,
  {
    init: async () => {
      kernel = openKernel()
    },
    createInferenceSessionHandler: async (model) => handlerOf(kernel!, model as Uint8Array),
  },
  -1,
)

/**
 * [Note: A provider of our own] Opens a network (ONNX bytes) as a session of onnxruntime-web, which the kernel runs; where it has
 * something that the kernel does not support, or there is no kernel, onnxruntime-web's own WebAssembly does, which is fetched then.
 */
export async function openSession(model: Uint8Array): Promise<ort.InferenceSession> {
  try {
    return await ort.InferenceSession.create(model, { executionProviders: [kernelProvider] })
  } catch {
    return ort.InferenceSession.create(model, { executionProviders: ['wasm'] })
  }
}

function handlerOf(kernel: Kernel, model: Uint8Array): Handler {
  const network = openNetwork(kernel, model)
  return {
    inputNames: [input],
    outputNames: network.outputs,
    inputMetadata: [],
    outputMetadata: [],
    run: async (feeds) => tensorsOf(await network.run(feeds[input] as never)),
    dispose: async () => undefined,
    startProfiling: () => undefined,
    endProfiling: () => undefined,
  }
}

function tensorsOf(answers: Readonly<Record<string, Tensor>>): Record<string, ort.Tensor> {
  return Object.fromEntries(
    Object.entries(answers).map(([name, { data, dims }]) => [name, new ort.Tensor('float32', data, dims)]),
  )
}
