import { csvLine } from './csv.ts'

/** Why a picture of an import was not kept. */
export type NotKept =
  | 'noFace'
  | 'severalFaces'
  | 'lowQuality'
  | 'unreadable'
  | 'badExternalId'
  | 'notListed'
  | 'missing'
  | 'failed'

/** What became of one picture of an import. */
export interface ReportRow {
  /** Its path within the folder, with slashes. */
  readonly file: string
  readonly externalId: string | null
  /** The face that it is; null where it was not kept. */
  readonly faceId: string | null
  /** `alreadyThere`: it had been kept before. Null where it was kept now. */
  readonly reason: NotKept | 'alreadyThere' | null
  /** The unified score, 0 to 100; null where no face was looked at. */
  readonly quality: number | null
  /** The face that was most alike before, and how alike on the calibrated scale; null where there was none. */
  readonly nearest: {
    readonly faceId: string
    readonly externalId: string | null
    readonly similarity: number
  } | null
  /** More about the reason, in words or names. */
  readonly detail: string
}

/** The row of a picture that was not kept. */
export function refused(
  file: string,
  reason: NotKept,
  detail: string,
  more: Partial<ReportRow> = {},
): ReportRow {
  return { file, externalId: null, faceId: null, reason, quality: null, nearest: null, detail, ...more }
}

/** That of a file which a table names, and the folder has not. */
export function missing(file: string): ReportRow {
  return refused(file, 'missing', 'The folder has no such file.')
}

const columns = [
  'file',
  'externalId',
  'faceId',
  'reason',
  'quality',
  'nearestFaceId',
  'nearestExternalId',
  'nearestSimilarity',
  'detail',
] as const

/** The first line of a report. */
export const reportHead = csvLine(columns)

/** A line of a report. */
export function reportLine({
  file,
  externalId,
  faceId,
  reason,
  quality,
  nearest,
  detail,
}: ReportRow): string {
  return csvLine([
    file,
    externalId ?? '',
    faceId ?? '',
    reason ?? '',
    quality === null ? '' : String(quality),
    nearest?.faceId ?? '',
    nearest?.externalId ?? '',
    nearest === null ? '' : nearest.similarity.toFixed(2),
    detail,
  ])
}

/** What a line of a report says of a file: enough to count it, and not to look at it again. */
export function outcomeOf(
  cells: readonly string[],
): { readonly file: string; readonly outcome: string } | undefined {
  const [file, , , reason] = cells
  if (cells.length !== columns.length || file === undefined || reason === undefined) return undefined
  return { file, outcome: reason === '' ? 'kept' : reason }
}
