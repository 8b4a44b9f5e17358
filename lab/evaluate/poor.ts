import type { Row } from '#lab/csv.ts'
import { comparedBy } from '../../models/rules/packs.ts'
import { isShown, poorLookOf } from '../../models/rules/quality/poor-look.ts'
import { cosineOf } from '../../models/rules/similarity.ts'
import { joined } from '../../models/rules/templates.ts'
import { type DataSet, pathOf } from './data-set.ts'
import { Figures } from './figures.ts'
import { personOf } from './part.ts'
import { compareAll } from './recognition/all-pairs.ts'
import { errorRates } from './recognition/error-rates.ts'
import { widened } from './recognition/pair-figures.ts'
import { personBootstrap } from './recognition/person-bootstrap.ts'
import { poorKinds } from './recognition/poor-kinds.ts'
import { packSamples } from './recognition/samples.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

const wanted = { embedding: true, group: true } as const
const scores = [70, 80, 90] as const
/** Enough pictures for more than 100,000 pairs of strangers. */
const mostPictures = 480
/** The labels by which faces that cannot be compared are broken down. */
const groupColumns = ['race', 'gender', 'age'] as const
const grown = 18

interface SeenPoor {
  readonly row: Row
  readonly kind: string
  /** Undefined if no face was found. */
  readonly embedding: Float32Array | undefined
  readonly isComparable: boolean
}

/**
 * How often two poor pictures of strangers match, and two poor pictures of the same person do not. Both pictures in a pair are degraded in the same
 * way. Faces that cannot be compared are counted for each labelled group.
 */
export const poor: Task = {
  name: 'poor',
  summary:
    'strangers who match when both pictures are dark, blurred, turned or covered; faces that cannot be compared',
  async evaluate(set: DataSet, bench: Bench): Promise<Figures> {
    const figures = new Figures()
    const isGrouped = groupColumns.every((column) => set.columns.has(column))
    if (!set.columns.has('identity') && !isGrouped) return figures
    const rows = spread(set.rows, mostPictures)
    const seen = await bench.map(rows, `poor: ${set.name}`, (row) => seePoor(set, row, bench))
    const all = seen.flat()
    for (const kind of Object.keys(poorKinds)) {
      const ofKind = all.filter((one) => one.kind === kind)
      const found = ofKind.filter(({ embedding }) => embedding !== undefined)
      figures.rate(`${kind}.found`, found.length, ofKind.length)
      figures.rate(
        `${kind}.notComparable`,
        found.filter(({ isComparable }) => !isComparable).length,
        found.length,
      )
      if (set.columns.has('identity')) addMatches(figures, kind, found, bench)
    }
    if (isGrouped) addGroups(figures, all)
    addTable(figures)
    return figures
  },
}

/** Picks up to `most` elements that are spread evenly over a list. */
function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!)
}

async function seePoor(set: DataSet, row: Row, bench: Bench): Promise<SeenPoor[]> {
  const frame = await bench.decode(pathOf(set, row.file!))
  const face = frame && (await bench.analyse(frame, { group: true }))?.face
  if (!frame || !face) return []
  const head = { frame, mesh: { points: face.landmarks, presence: face.presence } }
  const seen: SeenPoor[] = []
  for (const [kind, make] of Object.entries(poorKinds)) {
    const found = (await bench.analyse(await make(head, seen.length), wanted))?.face
    const first = found?.embedding
    seen.push({
      row,
      kind,
      embedding: first && joined({ first, second: found!.secondEmbedding }),
      isComparable: first !== undefined && isShown(poorLookOf(first, bench.pack.embeddingModel)),
    })
  }
  return seen
}

function addMatches(figures: Figures, kind: string, found: readonly SeenPoor[], { pack }: Bench): void {
  const people = found.map(({ row }) => personOf(row))
  if (new Set(people).size < 2) return
  const embeddings = found.map(({ embedding }) => embedding!)
  const pairs = compareAll(packSamples(embeddings, people, comparedBy(pack)), { listed: 1 })
  const model = comparedBy(pack)
  const ratesOf = (drawn?: ArrayLike<number>): Record<string, number> => {
    const errors = errorRates(pairs, drawn)
    return {
      ...Object.fromEntries(
        scores.map((score) => [`fmr${score}`, errors.falseMatchRate(cosineOf(score, model))]),
      ),
      tmr80: 1 - errors.falseNonMatchRate(cosineOf(80, model)),
    }
  }
  const bounds = personBootstrap(pairs.samples.personCount, ratesOf)
  for (const [name, value] of Object.entries(ratesOf())) {
    const n = name.startsWith('fmr') ? pairs.impostor.total : pairs.genuine.total
    if (n > 0) figures.add(`${kind}.${name}`, value, n, widened(bounds[name], value, n))
  }
}

function addGroups(figures: Figures, all: readonly SeenPoor[]): void {
  const found = all.filter(({ embedding, kind }) => embedding !== undefined && kind !== 'clean')
  const groupOf = ({ race, gender, age }: Row) => [
    `race ${race}`,
    `gender ${gender}`,
    Number(age) < grown ? `below ${grown}` : `${grown} and more`,
  ]
  const groups = [...new Set(found.flatMap(({ row }) => groupOf(row)))].sort()
  figures.table({
    title: 'Faces of poor pictures that cannot be compared, by the labels',
    columns: ['group', 'not comparable', 'faces'],
    rows: groups.map((group) => {
      const own = found.filter(({ row }) => groupOf(row).includes(group))
      return [group, own.filter(({ isComparable }) => !isComparable).length / own.length, own.length]
    }),
  })
}

function addTable(figures: Figures): void {
  const names = ['fmr70', 'fmr80', 'fmr90', 'tmr80', 'found', 'notComparable'] as const
  const shown = (kind: string, name: string) => {
    const figure = figures.get(`${kind}.${name}`)
    if (figure === undefined) return ''
    const { value, low = value, high = value } = figure
    return `${exact(value)} (${exact(low)} to ${exact(high)})`
  }
  figures.table({
    title:
      'Both pictures poor in the same way: strangers who match, one person who does, faces found, faces that cannot be compared',
    columns: ['kind', ...names],
    rows: Object.keys(poorKinds).map((kind) => [kind, ...names.map((name) => shown(kind, name))]),
  })
}

function exact(rate: number): string {
  return rate === 0 || rate >= 0.01 ? rate.toFixed(2) : rate.toExponential(1)
}
