import { recipeOf } from '../../../models/rules/pack-recipe.ts'
import { pipelineVersion } from '../../../models/rules/pipeline-version.ts'
import manifest from '../../../models/weights/manifest.json' with { type: 'json' }
import type { Bench } from './bench.ts'

/** Describes the measured configuration, which is the one that ships, in human-readable lines. */
export function configurationOf({
  runtime,
  threads,
  pack,
}: Pick<Bench, 'runtime' | 'threads' | 'pack'>): string[] {
  const installed = Object.entries(recipeOf(pack.name)?.networks ?? {})
  return [
    `pipeline ${pipelineVersion}, ${runtime === 'native' ? 'onnxruntime-node' : 'onnxruntime-web'} on Node ${process.versions.node}, ${threads} threads, ${pack.name} pack`,
    ...Object.entries(manifest.models).map(
      ([name, { sha256, origin }]) => `${name} ${sha256.slice(0, 12)} (${origin})`,
    ),
    ...installed.map(([name, { sha256, origin }]) => `${name} ${sha256.slice(0, 12)} (installed: ${origin})`),
  ]
}
