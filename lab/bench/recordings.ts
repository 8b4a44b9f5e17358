import { livingFootage } from '#lab/attacks/instruments/played.ts'
import { openMaterials } from '#lab/attacks/people/materials.ts'
import { openRealAnalysis } from '../../tests/support/real-analysis.ts'
import { type FilmedClip, filmedClips } from './recordings/filmed-visits.ts'

export async function benchRecordings({
  data = '../shared/data',
}: {
  data?: string | undefined
}): Promise<Record<string, number>> {
  const materials = await openMaterials(data)
  const analysis = await openRealAnalysis()
  const { signal } = new AbortController()
  const lookAt = (jpeg: Buffer) => analysis.analyse(jpeg, { print: true }, { accountId: 'bench', signal })
  const clips: FilmedClip[] = []
  for (const footage of await livingFootage(materials)) {
    clips.push(...(await filmedClips(footage, lookAt)))
    process.stderr.write(`${clips.length}\n`)
  }
  return { clips: clips.length }
}
