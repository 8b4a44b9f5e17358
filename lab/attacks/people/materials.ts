import { join } from 'node:path'
import { type Raster, toJpeg } from '#lab/pictures/raster.ts'
import type { Analysis, AnalysisStages } from '../../../models/rules/analysis.ts'
import type { AnalysisService } from '../../../server/features/analysis/analysis-service.ts'
import { openRealAnalysis } from '../../../tests/support/real-analysis.ts'
import { defaultSeed } from '../seeds.ts'

/** The resources available to a forger: pictures of people, and the product's own mesh to locate the faces in them. */
export interface Materials {
  /** Determines which people are used, and seeds the random part of their pictures. */
  readonly seed: number
  /** The caller's own folder. */
  readonly own?: string
  /** The path of a file among the labelled pictures. */
  path(...parts: readonly string[]): string
  /** Returns the face's position and pose. */
  look(picture: Raster): Promise<Analysis>
  /** Analyses a picture as the product does, but without recognition. */
  judge(jpeg: Buffer): Promise<Analysis>
  /** Caches a value that several instruments share. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
}

/** The stages that the liveness and step rules need. */
const judged: AnalysisStages = {
  liveness: 'full',
  expression: 'full',
  eyes: true,
  sceneSignature: true,
  surface: true,
}

/** @param data the folder with the labelled pictures */
export async function openMaterials(data: string, seed = defaultSeed, own?: string): Promise<Materials> {
  const analysis: AnalysisService = await openRealAnalysis()
  const { signal } = new AbortController()
  const made = new Map<string, Promise<unknown>>()
  return {
    seed,
    ...(own !== undefined && { own }),
    path: (...parts) => join(data, ...parts),
    look: async (picture) =>
      analysis.analyse(await toJpeg(picture, 95), { expression: 'light' }, { accountId: 'attacker', signal }),
    judge: (jpeg) => analysis.analyse(jpeg, judged, { accountId: 'attacker', signal }),
    once<T>(name: string, make: () => Promise<T>): Promise<T> {
      const known = made.get(name) ?? make()
      made.set(name, known)
      return known as Promise<T>
    },
  }
}
