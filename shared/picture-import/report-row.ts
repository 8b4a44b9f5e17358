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

/** The outcome for a single picture in an import. */
export interface ReportRow {
  /** The path within the folder, with slashes. */
  readonly file: string
  readonly externalId: string | null
  /** The new face's id, or null if none was added. */
  readonly faceId: string | null
  /** `alreadyThere` if an earlier run added it, or null if this run did. */
  readonly reason: NotKept | 'alreadyThere' | null
  /** The quality as a unified score from 0 to 100, or null if no face was examined. */
  readonly quality: number | null
  /** The most similar existing face with its calibrated similarity, or null if there is none. */
  readonly nearest: {
    readonly faceId: string
    readonly externalId: string | null
    readonly similarity: number
  } | null
  readonly detail: string
}

/** The report row for a picture that was not added. */
export function refused(
  file: string,
  reason: NotKept,
  detail: string,
  more: Partial<ReportRow> = {},
): ReportRow {
  return { file, externalId: null, faceId: null, reason, quality: null, nearest: null, detail, ...more }
}

/** The report row for a file that the table lists but the folder does not contain. */
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

/** A report's header line. */
export const reportHead = csvLine(columns)

/** Formats a line of the report. */
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

/** The outcome in a report line, with just enough data to count the file and skip it. */
export function outcomeOf(
  cells: readonly string[],
): { readonly file: string; readonly outcome: string } | undefined {
  const [file, , , reason] = cells
  if (cells.length !== columns.length || file === undefined || reason === undefined) return undefined
  return { file, outcome: reason === '' ? 'kept' : reason }
}
