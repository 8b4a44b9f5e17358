import type { Session } from '#models/networks/session.ts'
import type { Tensor } from '#models/picture/tensor.ts'

interface OrtTensor {
  readonly data: unknown
  readonly dims: readonly number[]
  dispose?(): void
}

interface OrtSession<T extends OrtTensor> {
  readonly inputNames: readonly string[]
  run(feeds: Record<string, T>): Promise<Record<string, OrtTensor>>
}

/** The common interface of onnxruntime-web and onnxruntime-node. */
interface Runtime<T extends OrtTensor> {
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => T
}

/** Runs the given work sequentially. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>

/** One queue for all sessions of a runtime, because the web runtime returns wrong results if two runs overlap. */
export function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work, work)
    last = result.catch(() => undefined)
    return result
  }
}

/** Adapts a session of any onnxruntime package to the pipeline's port. */
export function ortSession<T extends OrtTensor>(
  runtime: Runtime<T>,
  session: OrtSession<T>,
  turn: Turn,
): Session {
  return {
    run: (input) =>
      turn(async () => {
        const tensor = new runtime.Tensor('float32', input.data, input.dims)
        const outputs = await session.run({ [session.inputNames[0]!]: tensor })
        tensor.dispose?.()
        return takeOut(outputs)
      }),
  }
}

/** Copies the outputs out of the runtime's memory and frees them there. */
function takeOut(outputs: Record<string, OrtTensor>): Record<string, Tensor> {
  const taken: Record<string, Tensor> = {}
  for (const [name, { data, dims, dispose }] of Object.entries(outputs)) {
    taken[name] = { data: (data as Float32Array).slice(), dims }
    dispose?.call(outputs[name])
  }
  return taken
}
