import { clusterBootstrap, groupBy } from '#lab/statistics/bootstrap.ts'
import { auc } from '#lab/statistics/roc.ts'
import { Figures } from './figures.ts'
import { personOf } from './part.ts'
import { isClip } from './running/clips.ts'
import { judge } from './running/judged-picture.ts'
import type { Task } from './task.ts'

/**
 * How well generated and edited faces can be detected. None of the pack's networks was made for this: the score is the inverse of the liveness
 * score, and an AUC close to 0.5 means that it is useless.
 */
export const manipulated: Task = {
  name: 'manipulated',
  summary: 'generated and edited faces against photographs of people',
  async evaluate(set, bench) {
    const figures = new Figures()
    const rows = set.rows.filter(
      ({ label, file }) => (label === 'real' || label === 'fake') && !isClip(file!),
    )
    const judged = (await bench.map(rows, set.name, (row) => judge(set, row, bench))).filter(
      ({ hasFace }) => hasFace,
    )
    const ranking = (cases: typeof judged) => {
      const fakes = (label: string) =>
        cases.filter(({ row }) => row.label === label).map(({ score }) => 1 - score)
      return auc({ positive: fakes('fake'), negative: fakes('real') })
    }
    const clusters = [...groupBy(judged, ({ row }) => personOf(row)).values()]
    figures.add(
      'auc',
      ranking(judged),
      judged.length,
      clusterBootstrap(clusters, (cases) => ranking([...cases])),
    )
    figures.rate('noFace', rows.length - judged.length, rows.length)
    figures.note(
      'No network here was designed to detect generated or edited faces: only the liveness score is available.',
    )
    return figures
  },
}
