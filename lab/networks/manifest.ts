/** The list of built files, which all consumers use to verify what they load. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Graph } from '../../workers/onnx/graph.ts'
import type { InputRecipe, Recipe } from './recipes.ts'

interface FileEntry {
  readonly file: string
  readonly sha256: string
  readonly bytes: number
}

interface ModelEntry extends FileEntry {
  readonly brotliBytes: number
  readonly input: InputRecipe
  /** Maps each output's name to its shape. N is the number of pictures. */
  readonly outputs: Readonly<Record<string, readonly (number | string)[]>>
  readonly precision: Recipe['precision']
  readonly licence: Recipe['licence']
  readonly origin: string
  readonly card: string
}

export interface Manifest {
  readonly pipelineVersion: string
  readonly models: Readonly<Record<string, ModelEntry>>
  readonly canonicalFace: FileEntry
  /** Written by `npm run poor-look`. */
  readonly poorLook: FileEntry
}

export const WEIGHTS = fileURLToPath(new URL('../../models/weights/', import.meta.url))
/** The directions in which embeddings of poor pictures resemble each other. */
export const poorLookFile = 'poor-look.json'
const MANIFEST = fileURLToPath(new URL('../../models/weights/manifest.json', import.meta.url))

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest
}

export function writeManifest(manifest: Manifest): void {
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, undefined, 2)}\n`)
}

export function describeFile(file: string, bytes: Uint8Array): FileEntry {
  return { file, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
}

export function describeModel(recipe: Recipe, graph: Graph, bytes: Uint8Array): ModelEntry {
  return {
    ...describeFile(`${recipe.name}.onnx`, bytes),
    brotliBytes: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
    input: recipe.input,
    outputs: Object.fromEntries(graph.outputs.map((port) => [port.name, port.dims])),
    precision: recipe.precision,
    licence: recipe.licence,
    origin: recipe.origin,
    card: `weights/${recipe.name}.md`,
  }
}
