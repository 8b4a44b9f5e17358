import { livingFootage } from '#lab/attacks/instruments/played.ts'
import { openMaterials } from '#lab/attacks/people/materials.ts'
import type { Exposure } from '#lab/pictures/sensor.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import type { AnalysisStages } from '../../models/rules/analysis.ts'
import { physicsOf } from '../../models/rules/liveness/evidence/physics.ts'
import type { TurnedPair } from '../../models/rules/observation.ts'
import { openRealAnalysis } from '../../tests/support/real-analysis.ts'
import { type JointChecks, jointFigures, jointOf } from './cues/joint.ts'
import { type Twins, twinsIn } from './cues/twins.ts'

/** How living people and their twins are filmed: unchanged, with a poor camera, and with a poor camera in a dim room. */
const takings: Readonly<Record<string, Exposure>> = {
  cue: { gain: 1, noise: 0 },
  cueNoise14: { gain: 1, noise: 14 },
  cueDim: { gain: 0.4, noise: 6 },
}

/**
 * The value of each cue for living people, and for a single picture from the same clip that is moved to the same poses. Camera, size, light and
 * compression are the same, so only the forgery differs. Each person counts once. `joint` covers everybody in all clips of living people, including
 * those who do not turn, and counts how many are rejected by the passive score of their straight looks or by a cue.
 */
export async function benchCues({
  data = '../shared/data',
}: {
  data?: string | undefined
}): Promise<Record<string, number>> {
  const materials = await openMaterials(data)
  const analysis = await openRealAnalysis()
  const { signal } = new AbortController()
  const lookBy = (wanted: AnalysisStages) => (jpeg: Buffer) =>
    analysis.analyse(jpeg, wanted, { accountId: 'bench', signal })
  const figures: Record<string, number> = {}
  for (const [name, taking] of Object.entries(takings)) {
    const people: Twins[] = []
    const visits: JointChecks[] = []
    for (const footage of await livingFootage(materials)) {
      const twins = await twinsIn(footage, lookBy({ surface: true }), taking)
      if (twins?.living?.length) people.push(twins)
      const joint = await jointOf(footage, twins?.living ?? [], lookBy({ liveness: 'full' }), taking)
      if (joint !== undefined) visits.push(joint)
    }
    Object.assign(figures, figuresOf(people, name), jointFigures(visits, name))
  }
  return figures
}

/** For each cue and kind of picture: the number of people, the shares with a held and a broken cue, and quantiles. */
function figuresOf(people: readonly Twins[], prefix: string): Record<string, number> {
  const figures: Record<string, number> = {}
  for (const kind of Object.keys(people[0] ?? {})) {
    const answers = people.flatMap((twins) => (twins[kind]?.length ? [physicsOf(twins[kind]!)] : []))
    for (const name of ['light', 'rim'] as const) {
      const own = answers.map((cues) => cues.find((cue) => cue.name === name)!)
      const values = own.flatMap(({ value }) => value ?? [])
      const at = (share: number) => quantile(values, share)
      const share = (answer: string) => own.filter((cue) => cue.answer === answer).length / own.length
      const inStep = people.filter((twins) => isBrokenAlone(twins[kind] ?? [], name)).length / own.length
      Object.assign(figures, {
        [`${prefix}.${name}.${kind}.people`]: own.length,
        [`${prefix}.${name}.${kind}.held`]: share('held'),
        [`${prefix}.${name}.${kind}.broken`]: share('broken'),
        [`${prefix}.${name}.${kind}.brokenInOnePair`]: inStep,
        [`${prefix}.${name}.${kind}.withinOthers`]: shareWithinOthers(values),
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

/** True if a single pair would break the cue. A step in a visit has one or two. */
function isBrokenAlone(pairs: readonly TurnedPair[], name: 'light' | 'rim'): boolean {
  const answers = pairs.flatMap((pair) => physicsOf([pair]))
  return answers.some((cue) => cue.name === name && cue.answer === 'broken')
}

/** The share of values between half the minimum and twice the maximum of all other values, as if the limits had been set without them. */
function shareWithinOthers(values: readonly number[]): number {
  const within = values.filter((value, i) => {
    const others = values.toSpliced(i, 1)
    return value >= Math.min(...others) / 2 && value <= 2 * Math.max(...others)
  })
  return within.length / values.length
}
