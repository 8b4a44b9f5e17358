import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRaster } from '#lab/pictures/raster.ts'
import type { Analysis } from '../../../models/rules/analysis.ts'
import { type Sample, sampleOf } from '../../../models/rules/challenge/rest.ts'
import { pipelineVersion } from '../../../models/rules/pipeline-version.ts'
import type { Materials } from './materials.ts'

/** A picture as analysed by a forger: the pose and the face, or undefined if there is no face. */
export interface Look extends Sample {
  readonly eyeOpenness: number
  /** In pixels. */
  readonly faceWidth: number
}

export function lookOf(analysis: Analysis): Look | undefined {
  const sample = sampleOf(analysis)
  if (sample === undefined) return undefined
  const { eyeOpenness, box } = analysis.face!
  return { ...sample, eyeOpenness, faceWidth: box.width }
}

/** The looks for some files in a folder, in order. They are cached next to the files and keyed by the pipeline. */
export async function looksOf(
  materials: Materials,
  folder: string,
  files: readonly string[],
): Promise<readonly (Look | undefined)[]> {
  const kept = join(folder, `looks-${pipelineVersion}.json`)
  if (existsSync(kept)) {
    const read = JSON.parse(readFileSync(kept, 'utf8')) as (Look | null)[]
    if (read.length === files.length) return read.map((look) => look ?? undefined)
  }
  const looks: (Look | undefined)[] = []
  for (const file of files) {
    const picture = await readRaster(await readFile(join(folder, file)))
    looks.push(lookOf(await materials.look(picture)))
  }
  writeFileSync(kept, JSON.stringify(looks.map((look) => look ?? null)))
  return looks
}
