import { comparedBy } from '../../models/rules/packs.ts'
import type { DataSet } from './data-set.ts'
import { Figures } from './figures.ts'
import { addGalleryFigures, type Gallery } from './identification/gallery-figures.ts'
import { nearestReal, nearestSynthetic } from './identification/nearest-others.ts'
import { keptEmbeddings } from './recognition/kept-embeddings.ts'
import { createPopulation } from './recognition/population.ts'
import { populationMatch } from './recognition/population-match.ts'
import { packSamples, type Samples } from './recognition/samples.ts'
import { seeFaces } from './recognition/seen-faces.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

/** Searching among fewer people is not informative. */
const fewestPeople = 100
const realSize = 1000
const sizes = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000] as const
/** Ensures the same people in every run. */
const seed = 1

/** Searches among 1,000 to 1,000,000 people. Counts strangers for whom a face is found, and enrolled people who are missed. */
export const identification: Task = {
  name: 'identification',
  summary: 'search among many: strangers who get a match, enrolled people who are missed',
  async evaluate(set: DataSet, bench: Bench, whole: DataSet): Promise<Figures> {
    const figures = new Figures()
    if (!set.columns.has('identity')) return figures
    const samples = await samplesOf(set, bench)
    if (samples.personCount < fewestPeople) return figures
    const everybody = await samplesOf(whole, bench)
    addGalleryFigures(figures, samples, await galleriesOf(samples, everybody))
    for (const table of populationMatch(everybody, seed)) figures.table(table)
    figures.note(
      'Galleries consist of synthetic people, each the sum of 24 real pictures from the whole set, including the people searched for, so they resemble real people as strangers do. The real gallery enrols other people of the set. The searched pictures are always real.',
    )
    return figures
  },
}

async function samplesOf(set: DataSet, bench: Bench): Promise<Samples> {
  const faces = await keptEmbeddings(set, { pack: bench.pack.name, see: (part) => seeFaces(part, bench) })
  const embeddings = faces.map(({ embedding }) => embedding)
  return packSamples(
    embeddings,
    faces.map(({ person }) => person),
    comparedBy(bench.pack),
  )
}

async function galleriesOf(samples: Samples, everybody: Samples): Promise<Gallery[]> {
  const synthetic = await nearestSynthetic(samples, createPopulation(everybody, seed), sizes)
  const real: Gallery[] =
    samples.personCount > realSize
      ? [{ name: 'real1k', kind: 'real', size: realSize, others: nearestReal(samples, realSize) }]
      : []
  return [
    ...real,
    ...synthetic.map((others, i): Gallery => {
      const size = sizes[i]!
      return {
        name: size < 1_000_000 ? `${size / 1000}k` : `${size / 1_000_000}M`,
        kind: 'synthetic',
        size,
        others,
      }
    }),
  ]
}
