import type { ModelName, OpenSession } from '#models/networks/session.ts'
import type { Tensor } from '#models/picture/tensor.ts'
import { meshAt } from './canonical-mesh.ts'

const tensor = (data: ArrayLike<number>): Tensor => ({
  data: Float32Array.from(data),
  dims: [1, data.length],
})

/** The short-range and full-range detectors' anchors near the middle of the picture. */
const middleAnchor = { 'blazeface-short': 512 + (4 * 8 + 4) * 6, 'blazeface-full': 24 * 48 + 24 } as const
const anchorCount = { 'blazeface-short': 896, 'blazeface-full': 2304 } as const

/**
 * All of the pipeline's networks without a runtime. Finds one face in the middle of any picture while `present` is
 * set, and more next to it if `faces` asks for them. Records which networks were opened and run.
 */
export class FakeNetworks {
  readonly opened: ModelName[] = []
  runs: ModelName[] = []
  faces = 1
  present = true

  readonly open: OpenSession = async (name) => {
    this.opened.push(name)
    return {
      run: async (input) => {
        this.runs.push(name)
        return this.#answer(name, input)
      },
    }
  }

  /** The networks that have run since the last call, without duplicates and in order. */
  take(): ModelName[] {
    const taken = [...new Set(this.runs)]
    this.runs = []
    return taken
  }

  #answer(name: ModelName, input: Tensor): Readonly<Record<string, Tensor>> {
    switch (name) {
      case 'blazeface-short':
      case 'blazeface-full':
        return this.#detections(name)
      case 'fr-detect':
        return nothingUpright(input)
      case 'facemesh':
        return {
          landmarks: tensor(meshAt({}, { centreX: 96, centreY: 96, pixelsPerUnit: 7 }).points),
          presence: tensor([this.present ? 8 : -8]),
        }
      case 'fr-feature':
        return { embedding: tensor(Array.from({ length: 2 * 512 }, (_, i) => (i % 512) + 1)) }
      case 'dlib-face':
        return { embedding: tensor(Array.from({ length: 2 * 128 }, (_, i) => (i % 128) + 1)) }
      case 'foamliu-face':
        return { output0: tensor(Array.from({ length: 128 }, (_, i) => 128 - i)) }
      case 'fr-liveness':
        return { logits: tensor([4, 0, 0]) }
      case 'minifasnet-v2':
        return { output: tensor([0, 2, 0]) }
      case 'fr-eye':
        return { logits: tensor([Math.log(0.1), Math.log(0.9)]) }
      case 'age-gender':
        return { age: tensor([30]), gender: tensor([0.75, 0.25]) }
      case 'faceres-deep':
        return {
          age: tensor(Array.from({ length: 100 }, (_, year) => Number(year === 34))),
          gender: tensor([0.7]),
        }
      case 'face-expression':
        return { expressions: tensor([0.7, 0.3, 0, 0, 0, 0, 0]) }
    }
  }

  #detections(name: keyof typeof middleAnchor): Readonly<Record<string, Tensor>> {
    const scores = new Float32Array(anchorCount[name]).fill(-100)
    const regressors = new Float32Array(anchorCount[name] * 16)
    for (let face = 0; face < this.faces; face++) {
      const anchor = middleAnchor[name] + face
      const width = 40 - 20 * Math.min(1, face)
      scores[anchor] = 5 - face
      regressors.set([face * 40, 0, width, width, -8, -4, 8, -4], anchor * 16)
    }
    return { scores: tensor(scores), regressors: tensor(regressors) }
  }
}

/** The upright-face detector's answer if it finds no face: background everywhere. */
export function nothingUpright({ dims }: Tensor): Readonly<Record<'scores' | 'regressors', Tensor>> {
  const [, , rows, columns] = dims as [number, number, number, number]
  const squares = [8, 16, 32, 64].map((stride, layer) => {
    const places = Math.ceil(rows / stride) * Math.ceil(columns / stride)
    return places * [3, 2, 2, 3][layer]!
  })
  const count = squares.reduce((sum, one) => sum + one, 0)
  const scores = Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? 9 : -9))
  return { scores: tensor(scores), regressors: tensor(new Float32Array(4 * count)) }
}
