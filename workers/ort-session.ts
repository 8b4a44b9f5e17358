import type { Session, Tensor } from '#models/networks/session.ts'

interface OrtTensor {
  readonly data: unknown
  readonly dims: readonly number[]
  dispose?(): void
}

interface OrtSession {
  readonly inputNames: readonly string[]
  run(feeds: Record<string, never>): Promise<Record<string, OrtTensor>>
}

/** The part of onnxruntime-web and onnxruntime-node that both share. */
export interface Runtime {
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => OrtTensor
}

/** Runs everything that is handed to it one after the other. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>

/** One turn for all sessions of a runtime: the web runtime answers wrongly when two runs overlap. */
export function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work, work)
    last = result.catch(() => undefined)
    return result
  }
}

/** A session of any onnxruntime package behind the pipeline's port. */
export function ortSession(runtime: Runtime, session: OrtSession, turn: Turn): Session {
  return {
    run: (input) =>
      turn(async () => {
        const tensor = new runtime.Tensor('float32', input.data, input.dims)
        const outputs = await session.run({ [session.inputNames[0]!]: tensor as never })
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
