/**
 * Rebuilds weights/*.onnx from the packages that ship them, and checks every file against manifest.json.
 * With --write the manifest is rewritten to what was built instead.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Manifest,
  type ModelEntry,
  WEIGHTS,
  describeModel,
  readManifest,
  writeManifest,
} from './manifest.ts'
import { encodeModel } from './onnx.ts'
import { openPackages } from './packages.ts'
import { recipes } from './recipes.ts'
import { prune, shortenNames } from './rewrite.ts'

const PIPELINE_VERSION = '2026-11-1'

function buildAll(): Record<string, ModelEntry> {
  const files = openPackages()
  mkdirSync(WEIGHTS, { recursive: true })
  const entries = recipes.map((recipe) => {
    const graph = shortenNames(prune(recipe.build(files)))
    const bytes = encodeModel(graph)
    writeFileSync(join(WEIGHTS, `${recipe.name}.onnx`), bytes)
    return [recipe.name, describeModel(recipe, graph, bytes)] as const
  })
  return Object.fromEntries(entries)
}

function findDifferences(built: Manifest['models'], expected: Manifest['models']): string[] {
  const names = new Set([...Object.keys(built), ...Object.keys(expected)])
  return [...names].filter((name) => built[name]?.sha256 !== expected[name]?.sha256)
}

function main(): void {
  const models = buildAll()
  for (const [name, entry] of Object.entries(models)) {
    console.log(`${name}: ${entry.bytes} bytes, ${entry.brotliBytes} with brotli`)
  }
  if (process.argv.includes('--write')) {
    writeManifest({ pipelineVersion: PIPELINE_VERSION, models })
    return
  }
  const different = findDifferences(models, readManifest().models)
  if (different.length === 0) return
  console.error(`Not what the manifest says: ${different.join(', ')}`)
  process.exitCode = 1
}

main()
