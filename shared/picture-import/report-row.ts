import { csvLine } from './csv.ts'

/** Why a picture was not added. */
export type NotKept =
  | 'noFace'
  | 'severalFaces'
  | 'lowQuality'
  | 'unreadable'
  | 'badExternalId'
  | 'notListed'
  | 'missing'
  | 'failed'

/** Outcome of one picture of an import. */
export interface ReportRow {
  /** Path within the folder, with slashes. */
  readonly file: string
  readonly externalId: string | null
  /** Id of the new face, or null if none was added. */
  readonly faceId: string | null
  /** `alreadyThere` if an earlier run added it; null if this run did. */
  readonly reason: NotKept | 'alreadyThere' | null
  /** Quality as a unified score, 0 to 100; null if no face was examined. */
  readonly quality: number | null
  /** The most similar existing face and its calibrated similarity, or null if there is none. */
  readonly nearest: {
    readonly faceId: string
    readonly externalId: string | null
    readonly similarity: number
  } | null
  readonly detail: string
}

/** Report row of a picture that was not added. */
export function refused(
  file: string,
  reason: NotKept,
  detail: string,
  more: Partial<ReportRow> = {},
): ReportRow {
  return { file, externalId: null, faceId: null, reason, quality: null, nearest: null, detail, ...more }
}

/** Report row of a file that the table names but the folder lacks. */
export function missing(file: string): ReportRow {
  return refused(file, 'missing', 'The folder does not contain this file.')
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

/** Header line of a report. */
export const reportHead = csvLine(columns)

/** Formats one line of a report. */
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

/** Outcome of a report line: enough to count the file and skip it. */
export function outcomeOf(
  cells: readonly string[],
): { readonly file: string; readonly outcome: string } | undefined {
  const [file, , , reason] = cells
  if (cells.length !== columns.length || file === undefined || reason === undefined) return undefined
  return { file, outcome: reason === '' ? 'kept' : reason }
}
