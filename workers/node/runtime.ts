import type { ModelName, OpenSession } from '#models/networks/session.ts'
import { oneAtATime, ortSession } from '../ort-session.ts'
import { loadNativeLibrary } from './native-library.ts'
import { nativeGraph } from './onnx/native-graph.ts'
import { readWeights } from './weights.ts'

export type RuntimeKind = 'native' | 'wasm'

/**
 * Opens sessions with onnxruntime-node if it loads, otherwise with onnxruntime-web. `only` forces one of them.
 * `packsFolder` contains the installed packs. Each session uses a single thread, because the pool runs one worker per available thread.
 */
export async function openRuntime(
  only?: RuntimeKind,
  packsFolder?: string,
): Promise<{ kind: RuntimeKind; open: OpenSession }> {
  const read: ReadWeights = (name) => readWeights(name, packsFolder)
  if (only !== 'wasm') {
    try {
      return { kind: 'native', open: await nativeSessions(read) }
    } catch (error) {
      if (only === 'native') throw error
    }
  }
  return { kind: 'wasm', open: await wasmSessions(read) }
}

type ReadWeights = (name: ModelName) => Promise<Uint8Array>

async function nativeSessions(read: ReadWeights): Promise<OpenSession> {
  const ort = await loadNativeLibrary()
  const turn = oneAtATime()
  return async (name) => {
    const session = await ort.InferenceSession.create(nativeGraph(await read(name)), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    })
    return ortSession(ort, session, turn)
  }
}

async function wasmSessions(read: ReadWeights): Promise<OpenSession> {
  const ort = await import('onnxruntime-web/wasm')
  ort.env.wasm.numThreads = 1
  const turn = oneAtATime()
  return async (name) => {
    const session = await ort.InferenceSession.create(await read(name))
    return ortSession(ort, session, turn)
  }
}
