import { readFileSync } from 'node:fs'
import * as ort from 'onnxruntime-web/wasm'
import { afterEach, expect, test, vi } from 'vitest'
import { randomNumbers } from '#shared/random-numbers.ts'
import type { Graph } from '#workers/onnx/graph.ts'
import { encodeModel } from '#workers/onnx/onnx.ts'
import { openSession } from '#workers/web/provider/provider.ts'

ort.env.wasm.numThreads = 1

const asked = vi.spyOn(ort.InferenceSession, 'create')
afterEach(() => asked.mockClear())
const providersAsked = () =>
  asked.mock.calls.map((call) => (call[1] as ort.InferenceSession.SessionOptions).executionProviders)

const random = randomNumbers(3)
const pictureOf = (dims: readonly number[]) =>
  new ort.Tensor(
    'float32',
    Float32Array.from({ length: dims.reduce((all, side) => all * side, 1) }, () => random()),
    dims,
  )

test('the kernel runs a network like a session of onnxruntime-web, with the answers of its own WebAssembly', async () => {
  const model = readFileSync('models/weights/fr-liveness.onnx')
  const session = await openSession(model)
  expect(providersAsked()).toEqual([['selfsame']])
  const own = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] })
  expect(session.inputNames).toEqual(own.inputNames)
  expect(session.outputNames).toEqual(own.outputNames)
  const feeds = { input: pictureOf([1, 3, 128, 128]) }
  const [found, wanted] = [await session.run(feeds), await own.run(feeds)]
  for (const name of own.outputNames) {
    expect(found[name]!.dims).toEqual(wanted[name]!.dims)
    const values = wanted[name]!.data as Float32Array
    for (const [i, value] of (found[name]!.data as Float32Array).entries())
      expect(value).toBeCloseTo(values[i]!, 4)
  }
})

test('a network that the kernel does not support runs on the WebAssembly of onnxruntime-web', async () => {
  const graph: Graph = {
    name: 'powers',
    opset: 17,
    inputs: [{ name: 'input', dims: ['N', 1, 2, 2] }],
    outputs: [{ name: 'out', dims: ['N', 1, 2, 2] }],
    nodes: [{ op: 'Exp', inputs: ['input'], outputs: ['out'], attributes: {} }],
    initialisers: new Map(),
  }
  const session = await openSession(encodeModel(graph))
  expect(providersAsked()).toEqual([['selfsame'], ['wasm']])
  const { out } = await session.run({ input: new ort.Tensor('float32', [0, 1, -1, 2], [1, 1, 2, 2]) })
  expect([...(out!.data as Float32Array)].map((value) => Math.round(1e4 * value))).toEqual([
    10000, 27183, 3679, 73891,
  ])
})
