import { livingFootage } from '#lab/attacks/instruments/played.ts'
import { openMaterials } from '#lab/attacks/people/materials.ts'
import { quantile } from '#lab/evaluate/statistics/quantile.ts'
import { physicsOf } from '#models/rules/liveness/evidence/physics.ts'
import { openRealAnalysis } from '../../tests/support/real-analysis.ts'
import { type Twins, twinsIn } from './cues/twins.ts'

/** Levels of noise in every picture, of the living and of their twins alike. */
const noises = [0, 14]

/**
 * What each cue tells of living people, and of one picture of the same clip that was moved to the same poses: same camera, size, light
 * and compression, so that only the forgery differs. A person counts once.
 */
export async function benchCues({
  data = '../shared/data',
}: {
  data?: string | undefined
}): Promise<Record<string, number>> {
  const materials = await openMaterials(data)
  const analysis = await openRealAnalysis()
  const { signal } = new AbortController()
  const lookAt = (jpeg: Buffer) => analysis.analyse(jpeg, { surface: true }, { accountId: 'bench', signal })
  const figures: Record<string, number> = {}
  for (const noise of noises) {
    const people: Twins[] = []
    for (const footage of await livingFootage(materials)) {
      const twins = await twinsIn(footage, lookAt, noise)
      if (twins !== undefined && twins.living!.length > 0) people.push(twins)
    }
    Object.assign(figures, figuresOf(people, noise === 0 ? 'cue' : `cueNoise${noise}`))
  }
  return figures
}

/** For each cue and each kind of picture: people, share of them whose cue is held and broken, and quantiles. */
function figuresOf(people: readonly Twins[], prefix: string): Record<string, number> {
  const figures: Record<string, number> = {}
  for (const kind of Object.keys(people[0] ?? {})) {
    const answers = people.flatMap((twins) => (twins[kind]?.length ? [physicsOf(twins[kind]!)] : []))
    for (const name of ['light', 'rim'] as const) {
      const own = answers.map((cues) => cues.find((cue) => cue.name === name)!)
      const values = own.flatMap(({ value }) => value ?? [])
      const at = (share: number) => quantile(values, share)
      const share = (answer: string) => own.filter((cue) => cue.answer === answer).length / own.length
      Object.assign(figures, {
        [`${prefix}.${name}.${kind}.people`]: own.length,
        [`${prefix}.${name}.${kind}.held`]: share('held'),
        [`${prefix}.${name}.${kind}.broken`]: share('broken'),
        [`${prefix}.${name}.${kind}.least`]: at(0),
        [`${prefix}.${name}.${kind}.p5`]: at(0.05),
        [`${prefix}.${name}.${kind}.median`]: at(0.5),
        [`${prefix}.${name}.${kind}.p95`]: at(0.95),
        [`${prefix}.${name}.${kind}.most`]: at(1),
      })
    }
  }
  return figures
}
