import { loadNativeLibrary } from '../../../workers/node/native-library.ts'
import { floatTensor, type Graph } from '../../../workers/onnx/graph.ts'
import { encodeModel } from '../../../workers/onnx/onnx.ts'
import type { Samples } from '../recognition/samples.ts'

/** For each of the samples' pictures, returns the cosine of the nearest of some faces, which are given as packed unit embeddings. */
export type NearestOfBlock = (faces: Float32Array) => Promise<Float32Array>

/**
 * Multiplies pictures and faces as matrices on the networks' own runtime. Comparing a million faces with two thousand pictures takes 10^12 products,
 * which is about twenty minutes in JavaScript loops and one minute in the runtime's kernel.
 */
export async function openNearestOfBlock({ count, length, embeddings }: Samples): Promise<NearestOfBlock> {
  const { InferenceSession, Tensor } = await loadNativeLibrary()
  const graph: Graph = {
    name: 'nearest',
    opset: 17,
    inputs: [{ name: 'faces', dims: ['block', length] }],
    outputs: [{ name: 'nearest', dims: [count] }],
    nodes: [
      node('Gemm', ['pictures', 'faces'], 'cosines', { transB: { i: 1 } }),
      node('ReduceMax', ['cosines'], 'nearest', { axes: { ints: [1] }, keepdims: { i: 0 } }),
    ],
    initialisers: new Map([
      ['pictures', floatTensor([count, length], embeddings.subarray(0, count * length))],
    ]),
  }
  const session = await InferenceSession.create(encodeModel(graph), { intraOpNumThreads: 2 })
  return async (faces) => {
    const input = new Tensor('float32', faces, [faces.length / length, length])
    const { nearest } = await session.run({ faces: input })
    return nearest!.data as Float32Array
  }
}

function node(
  op: string,
  inputs: readonly string[],
  output: string,
  attributes: Graph['nodes'][number]['attributes'],
): Graph['nodes'][number] {
  return { op, inputs, outputs: [output], attributes }
}
