import type { DataSet } from '#lab/evaluate/data-set.ts'
import { groupBy } from '#lab/statistics/bootstrap.ts'
import type { Box } from '../../../models/rules/analysis.ts'

/** A picture's labels: its faces' boxes, or just their number. */
export interface LabelledPicture {
  readonly file: string
  readonly faces: number
  /** Undefined if the faces were only counted. */
  readonly boxes: readonly Box[] | undefined
  /** False if the faces are rotated, which is not supported. */
  readonly isUpright: boolean
}

/** Reads one row per face with xmin, ymin, xmax and ymax, or one row per picture with its number of faces. Other rows are ignored. */
export function labelledPictures({ rows }: DataSet): LabelledPicture[] {
  return [...groupBy(rows, ({ file }) => file!)].flatMap(([file, ofFile]) => {
    const { faces, note = '' } = ofFile[0]!
    const boxes = ofFile.map(boxOf).filter((box) => box !== undefined)
    const count = boxes.length > 0 ? boxes.length : Number(faces || Number.NaN)
    if (!Number.isInteger(count)) return []
    const isUpright = !/rotat\w* (90|180|270)/.test(note)
    return [{ file, faces: count, boxes: boxes.length > 0 ? boxes : undefined, isUpright }]
  })
}

/** A label row's box, or undefined if it has none. */
export function boxOf(row: Readonly<Record<string, string>>): Box | undefined {
  const [left, top, right, bottom] = ['xmin', 'ymin', 'xmax', 'ymax'].map((name) => Number(row[name] || NaN))
  const box = { x: left!, y: top!, width: right! - left!, height: bottom! - top! }
  return Number.isFinite(box.width * box.height) ? box : undefined
}
