import type { Row } from '#lab/csv.ts'
import { auc } from '#lab/statistics/roc.ts'
import { overlap } from '../../models/picture/geometry.ts'
import type { Analysis, FaceAnalysis, LabColour } from '../../models/rules/analysis.ts'
import { comparedBy } from '../../models/rules/packs.ts'
import { type FaceQuality, qualityOf, wantedForQuality } from '../../models/rules/quality/face-quality.ts'
import { joined } from '../../models/rules/templates.ts'
import {
  type QualityComponent,
  qualityComponents,
} from '../../shared/contract/analysis/quality-components.ts'
import { type DataSet, pathOf } from './data-set.ts'
import { boxOf } from './detection/labels.ts'
import { Figures } from './figures.ts'
import { personOf } from './part.ts'
import { addDiscardCurve } from './quality/discard-curve.ts'
import { harmNames, madePoor } from './quality/poor-pictures.ts'
import { compareAll } from './recognition/all-pairs.ts'
import { packSamples } from './recognition/samples.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

/** The same analysis that get-quality requests. */
const wanted = { ...wantedForQuality, group: true, faces: 5 } as const
/** Sets with fewer people have hardly any pairs that could be missed. */
const fewestPeople = 20
/** The limit for which each group's share of rejected people is shown. */
const limit = 50

/** The quality of a face's picture, and the labels to compare it with. */
interface MeasuredQuality {
  readonly row: Row
  readonly quality: FaceQuality
  readonly embedding: Float32Array
  readonly skin: LabColour | undefined
}

/**
 * Checks that the quality score makes sense: pictures with a low score are the ones that are missed (sets with people), masked faces can be
 * distinguished from uncovered ones (sets with a class), and a single limit does not exclude one group more than another (sets with labels).
 */
export const quality: Task = {
  name: 'quality',
  summary: 'whether poor pictures are the ones that are missed; covered faces; people kept out by one limit',
  async evaluate(set: DataSet, bench: Bench): Promise<Figures> {
    const figures = new Figures()
    if (set.columns.has('class')) await addCovered(figures, set, bench)
    const isOfPeople = set.columns.has('identity')
    const hasGroups = groups.some(({ column }) => set.columns.has(column))
    if (!isOfPeople && !hasGroups) return figures
    const measured = await measure(set, bench, (_, path) => bench.analyse(path, wanted))
    if (isOfPeople) {
      addMissed(figures, measured, bench, '')
      if (!set.columns.has('age')) addMissed(figures, await measurePoor(set, bench), bench, 'poor.')
    }
    if (hasGroups) addGroups(figures, measured)
    return figures
  },
}

type See = (number: number, path: string) => Promise<Analysis | null>

async function measure(set: DataSet, bench: Bench, see: See): Promise<MeasuredQuality[]> {
  const cases = set.rows.map((row, number) => ({ row, number }))
  const seen = await bench.map(cases, `quality: ${set.name}`, async ({ row, number }) => {
    const analysis = await see(number, pathOf(set, row.file!))
    return analysis?.face && measuredOf(row, analysis.face, analysis)
  })
  return seen.filter((one) => one !== undefined && one !== null)
}

/** The kind of damage depends on the picture's number, which follows the set's order. */
async function measurePoor(set: DataSet, bench: Bench): Promise<MeasuredQuality[]> {
  return measure(set, bench, async (number, path) => {
    const frame = await bench.decode(path)
    return frame && bench.analyse(madePoor(frame, number), wanted)
  })
}

function measuredOf(row: Row, face: FaceAnalysis, analysis: Analysis): MeasuredQuality {
  const { embedding: first, secondEmbedding: second } = face
  return {
    row,
    quality: qualityOf(face, analysis),
    embedding: joined({ first: first!, second }),
    skin: face.appearance?.upperSkin,
  }
}

function addMissed(
  figures: Figures,
  measured: readonly MeasuredQuality[],
  bench: Bench,
  prefix: string,
): void {
  const people = measured.map(({ row }) => personOf(row))
  if (new Set(people).size < fewestPeople) return
  const embeddings = measured.map(({ embedding }) => embedding)
  const pairs = compareAll(packSamples(embeddings, people, comparedBy(bench.pack)), { listed: 0.03 })
  const scores = measured.map(({ quality: { unifiedScore } }) => unifiedScore)
  addDiscardCurve(figures, pairs, scores, prefix)
  if (prefix !== '') figures.note(`${prefix} each picture in turn: ${harmNames.join(', ')}.`)
}

/** How well each component separates labelled faces, as the AUC of uncovered faces over covered ones. */
async function addCovered(figures: Figures, set: DataSet, bench: Bench): Promise<void> {
  const seen = await bench.map(set.rows, `quality: ${set.name}`, async (row) => {
    const analysis = await bench.analyse(pathOf(set, row.file!), wanted)
    const box = boxOf(row)
    const face = box && analysis?.faces.find((one) => overlap(one.box, box) > 0.2)
    return face && { row, components: qualityOf(face, analysis!).components }
  })
  const faces = seen.filter((one) => one !== undefined)
  const scoresOf = (name: QualityComponent, label: string) =>
    faces.flatMap(({ row, components }) =>
      row.class === label && components[name] !== null ? [components[name]] : [],
    )
  for (const name of qualityComponents) {
    const [positive, negative] = [scoresOf(name, 'without_mask'), scoresOf(name, 'with_mask')]
    if (positive.length * negative.length > 0)
      figures.add(`${name}.auc`, auc({ positive, negative }), positive.length + negative.length)
  }
}

interface Group {
  readonly column: string
  readonly name: (value: string) => string
}

const groups: readonly Group[] = [
  { column: 'age', name: (age) => bandOf(Number(age)) },
  { column: 'gender', name: (gender) => gender },
]

function bandOf(age: number): string {
  if (age < 13) return 'under 13'
  if (age < 18) return '13 to 17'
  if (age < 30) return '18 to 29'
  if (age < 50) return '30 to 49'
  return age < 70 ? '50 to 69' : '70 and above'
}

/** The bounds of the individual typology angle in degrees (Del Bino and Bernerd 2013). */
const tones = [
  [55, 'very light'],
  [41, 'light'],
  [28, 'intermediate'],
  [10, 'tan'],
  [-30, 'brown'],
  [Number.NEGATIVE_INFINITY, 'dark'],
] as const

/** The individual typology angle of skin in a picture. It depends on the light and the camera, so it does not classify a person. */
function toneOf({ lightness, b }: LabColour): string {
  const angle = (Math.atan2(lightness - 50, b) * 180) / Math.PI
  return tones.find(([least]) => angle >= least)![1]
}

function addGroups(figures: Figures, measured: readonly MeasuredQuality[]): void {
  const rows: [string, string, number, string][] = []
  const add = (kind: string, nameOf: (one: MeasuredQuality) => string | undefined) => {
    const found = new Map<string, MeasuredQuality[]>()
    for (const one of measured) {
      const name = nameOf(one)
      if (name !== undefined) found.set(name, [...(found.get(name) ?? []), one])
    }
    for (const [name, members] of [...found].sort(([a], [b]) => a.localeCompare(b))) {
      const kept = members.filter(({ quality: { unifiedScore } }) => unifiedScore >= limit).length
      rows.push([
        kind,
        name,
        members.length,
        `${((100 * (members.length - kept)) / members.length).toFixed(1)} %`,
      ])
    }
  }
  for (const { column, name } of groups)
    add(column, ({ row }) => (row[column] ? name(row[column]) : undefined))
  add('skin tone (ITA)', ({ skin }) => skin && toneOf(skin))
  figures.table({
    title: `Share of each group that a limit of ${limit} on unifiedScore keeps out`,
    columns: ['by', 'group', 'pictures', 'kept out'],
    rows,
  })
}
