import { join } from 'node:path'
import type { Analysis, Wanted } from '../../../models/rules/analysis.ts'
import type { AnalysisService } from '../../../server/features/analysis/analysis-service.ts'
import { openRealAnalysis } from '../../../tests/support/real-analysis.ts'
import { type Raster, toJpeg } from '../pictures/raster.ts'
import { defaultSeed } from '../seeds.ts'

/** What a forger works with: pictures of people, and the product's own mesh to see where their faces are. */
export interface Materials {
  /** Decides which people are taken, and all that their pictures owe to chance. */
  readonly seed: number
  /** A folder of one's own. */
  readonly own?: string
  /** The path of a file of the labelled pictures. */
  path(...parts: readonly string[]): string
  /** Where the face is, and how it stands. */
  look(picture: Raster): Promise<Analysis>
  /** What the product would find in it, but for who it is. */
  judge(jpeg: Buffer): Promise<Analysis>
  /** What several instruments share is made once. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
}

/** What the rules of liveness and of the steps look at. */
const judged: Wanted = {
  liveness: 'full',
  expression: 'full',
  eyes: true,
  sceneSignature: true,
  surface: true,
}

/** @param data the folder of labelled pictures */
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
