import * as ort from 'onnxruntime-web/wasm'
import type { Tensor } from '#models/picture/tensor.ts'
import { type Kernel, openKernel } from './kernel/kernel.ts'
import { input, openNetwork } from './network.ts'

/** The name that sessions use to select the kernel: an execution provider in onnxruntime-web, next to its built-in `wasm`. */
const kernelProvider = 'selfsame'

type Backend = Parameters<typeof ort.registerBackend>[1]
type Handler = Awaited<ReturnType<Backend['createInferenceSessionHandler']>>

let kernel: Kernel | undefined
// With a priority below 0, it is only used by sessions that request it.
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
 * [Note: A provider of our own] Opens a network (ONNX bytes) as a session of onnxruntime-web that the kernel runs. If the
 * kernel is unavailable or does not support the network, onnxruntime-web's own WebAssembly is fetched and used.
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
    run: async (feeds) => tensorsOf(await network.run(floatTensorOf(feeds[input]!))),
    dispose: async () => undefined,
    startProfiling: () => undefined,
    endProfiling: () => undefined,
  }
}

/** Every network takes float32. */
function floatTensorOf({ data, dims }: ort.Tensor): Tensor {
  return { data: data as Float32Array, dims }
}

function tensorsOf(answers: Readonly<Record<string, Tensor>>): Record<string, ort.Tensor> {
  return Object.fromEntries(
    Object.entries(answers).map(([name, { data, dims }]) => [name, new ort.Tensor('float32', data, dims)]),
  )
}
