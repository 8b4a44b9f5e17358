import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as Ort from 'onnxruntime-web/wasm'
import { randomNumbers } from '#shared/random-numbers.ts'

const weights = 'models/weights'

/**
 * All that pages ask of the runtime: each network is opened, answers for one picture and for two, twice each, refuses a
 * tensor of another shape, and is let go; and what is no network is refused.
 * @returns the answers, by network, for one picture and then for two
 */
export async function goEveryWay(ort: typeof Ort): Promise<Map<string, readonly Float32Array[]>> {
  const answers = new Map<string, readonly Float32Array[]>()
  const names = readdirSync(weights).filter((name) => name.endsWith('.onnx'))
  await refused(ort.InferenceSession.create(new Uint8Array(1)))
  for (const name of names) {
    const bytes = readFileSync(join(weights, name))
    await refused(ort.InferenceSession.create(bytes.subarray(0, bytes.length >> 1)))
    const session = await ort.InferenceSession.create(bytes)
    const told: Float32Array[] = []
    for (const pictures of [1, 2]) {
      await session.run(feedsOf(ort, session, pictures))
      const outputs = await session.run(feedsOf(ort, session, pictures))
      for (const output of session.outputNames)
        told.push(Float32Array.from((await outputs[output]!.getData()) as Float32Array))
    }
    await refused(session.run(feedsOf(ort, session, 1, 1)))
    await session.release()
    answers.set(name, told)
  }
  return answers
}

async function refused(going: Promise<unknown>): Promise<void> {
  const isRefused = await going.then(
    () => false,
    () => true,
  )
  if (!isRefused) throw new Error('the runtime took what it has to refuse')
}

/** The same noise each time; `more` makes each side of a picture larger than the network takes. */
function feedsOf(ort: typeof Ort, session: Ort.InferenceSession, pictures: number, more = 0) {
  const feeds: Record<string, Ort.Tensor> = {}
  for (const input of session.inputMetadata) {
    if (!input.isTensor) throw new Error(`${input.name} is no tensor`)
    const random = randomNumbers(1)
    const sides = input.shape.map((side) => (typeof side === 'number' ? side + more : pictures))
    const size = sides.reduce((product, side) => product * side, 1)
    feeds[input.name] = new ort.Tensor(
      'float32',
      Float32Array.from({ length: size }, () => random() * 2 - 1),
      sides,
    )
  }
  return feeds
}
