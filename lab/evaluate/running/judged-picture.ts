import type { Row } from '#lab/csv.ts'
import { type DataSet, pathOf } from '#lab/evaluate/data-set.ts'
import { judgeLiveness, livenessOfImage } from '../../../models/rules/liveness/picture-liveness.ts'
import type { Bench } from './bench.ts'

/** The product's decision for a picture, and the picture's labels. */
export interface JudgedPicture {
  readonly row: Row
  /** 0...1, where higher means live. It is 0 if no face was found. */
  readonly score: number
  readonly isLive: boolean
  readonly hasFace: boolean
  readonly spoofType: string | null
}

/** The product's picture decision for a single file. */
export async function judge(set: DataSet, row: Row, bench: Bench): Promise<JudgedPicture> {
  const analysis = await bench.analyse(pathOf(set, row.file!), livenessOfImage)
  return judgedOf(row, analysis?.face)
}

/** The picture decision for a face. Undefined means that no face was found. */
export function judgedOf(row: Row, face: Parameters<typeof judgeLiveness>[0] | undefined): JudgedPicture {
  if (face === undefined) return { row, score: 0, isLive: false, hasFace: false, spoofType: null }
  const { isLive, confidence, spoofType } = judgeLiveness(face)
  return { row, score: isLive ? confidence : 1 - confidence, isLive, hasFace: true, spoofType }
}

/** The labelled kind of attack, or undefined for a living person. */
export function attackOf({ label, attack_type }: Row): string | undefined {
  return label === 'live' ? undefined : attack_type || 'unknown'
}
