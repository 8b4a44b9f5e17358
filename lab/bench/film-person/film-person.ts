import { livingFootage } from '#lab/attacks/instruments/played.ts'
import { openMaterials } from '#lab/attacks/people/materials.ts'
import { isFilmStill } from '../../../models/rules/liveness/evidence/film-movement.ts'
import { filmedPerson } from '../../../models/rules/liveness/evidence/film-person.ts'
import { openRealAnalysis } from '../../../tests/support/real-analysis.ts'
import { takings } from './takings.ts'
import { type FilmedVisit, visitsOf } from './visits.ts'

/**
 * Compares films with the person in a visit, using clips of living people: their own film, everyone else's films, and a single picture of them with
 * camera noise. The limits were chosen on every other person (`chosen`) and are measured on the rest (`measured`).
 */
export async function benchFilmPerson({
  data = '../shared/data',
}: {
  data?: string | undefined
}): Promise<Record<string, number>> {
  const materials = await openMaterials(data)
  const analysis = await openRealAnalysis()
  const { signal } = new AbortController()
  const look = (jpeg: Buffer, embedding: boolean) =>
    analysis.analyse(jpeg, { embedding, sceneSignature: true }, { accountId: 'bench', signal })
  const people = await livingFootage(materials)
  const figures: Record<string, number> = {}
  for (const [name, playing] of Object.entries(takings)) {
    const visits = await visitsOf(people, playing, look)
    const halves = {
      chosen: visits.filter((_, i) => i % 2 === 0),
      measured: visits.filter((_, i) => i % 2 === 1),
    }
    for (const [half, own] of Object.entries(halves)) {
      const prefixed = Object.entries(figuresOf(own)).map(([key, value]) => [`${half}.${name}.${key}`, value])
      Object.assign(figures, Object.fromEntries(prefixed))
    }
  }
  return figures
}

function figuresOf(visits: readonly FilmedVisit[]): Record<string, number> {
  const own = visits.map((visit) => ({ said: filmedPerson(visit), isStill: isFilmStill(visit) }))
  const strangers = visits.flatMap((visit) =>
    visits.flatMap(({ trail, person }) => (person === visit.person ? [] : filmedPerson({ ...visit, trail }))),
  )
  const turned = visits.filter(({ noisy }) => noisy.length > 0)
  const count = (said: readonly string[], what: string) => said.filter((one) => one === what).length
  const said = own.map((one) => one.said)
  return {
    visits: visits.length,
    'own film taken for another person’s': count(said, 'other'),
    'own film that leaves it open': count(said, 'unsure'),
    'own film that stays still': own.filter(({ isStill }) => isStill).length,
    'pairs of strangers': strangers.length,
    'strangers not refused, %': (100 * (strangers.length - count(strangers, 'other'))) / strangers.length,
    'strangers taken for the person, %': (100 * count(strangers, 'same')) / strangers.length,
    'one picture with noise, beside a turn': turned.length,
    'one picture with noise that moves': turned.filter(
      (visit) => !isFilmStill({ ...visit, trail: visit.noisy }),
    ).length,
  }
}
