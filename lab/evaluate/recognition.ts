import { comparedBy } from '../../models/rules/packs.ts'
import type { DataSet } from './data-set.ts'
import { Figures } from './figures.ts'
import { personOf } from './part.ts'
import { addAgeGaps } from './recognition/age-gaps.ts'
import { addPairFigures } from './recognition/pair-figures.ts'
import { addPairedGain } from './recognition/paired-gain.ts'
import { addProtocol } from './recognition/protocol.ts'
import { addRejectCurve } from './recognition/reject-curve.ts'
import { addSameGroup, groupColumns } from './recognition/same-group.ts'
import { type SeenPicture, samplesOf, seeFaces } from './recognition/seen-faces.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

/**
 * Recognition of all pairs in the set if it names people, of its protocol's pairs if it has folds, and of strangers with the same gender, race label
 * and decade if it has those labels. Pictures without a face are counted separately and are not part of any pair.
 */
export const recognition: Task = {
  name: 'recognition',
  summary: 'same person or not: accuracy, true and false matches, similar-looking strangers',
  async evaluate(set: DataSet, bench: Bench): Promise<Figures> {
    const figures = new Figures()
    const hasGroups = groupColumns.every((column) => set.columns.has(column))
    if (!set.columns.has('identity') && !hasGroups) return figures
    const seen = await seeFaces(set, bench)
    const { pictures, samples } = samplesOf(seen, comparedBy(bench.pack))
    const labels = pictures.map(({ row }) => row)
    if (set.pairs !== undefined) addProtocol(figures, set.pairs, peopleOf(seen))
    if (samples.personCount > 1) {
      const pairs = addPairFigures(figures, samples)
      addPairedGain(figures, pairs, bench.pack)
      if (set.columns.has('age')) addAgeGaps(figures, pairs, labels)
      addRejectCurve(figures, pairs, qualities(pictures))
    }
    if (hasGroups) addSameGroup(figures, samples, labels)
    figures.rate('noFace', seen.filter(({ face }) => face === undefined).length, seen.length)
    return figures
  },
}

function peopleOf(seen: readonly SeenPicture[]) {
  return new Map(
    seen.map(({ file, row, face }) => [file, { person: personOf(row), embedding: face?.embedding }]),
  )
}

function qualities(pictures: readonly SeenPicture[]): number[] {
  return pictures.map(({ face }) => face!.frameQuality ?? 0)
}
