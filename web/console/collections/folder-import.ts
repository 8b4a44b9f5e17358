import { imageLimits } from '#shared/contract/analysis/image.ts'
import { createImportProgress, type ImportProgress } from '#shared/picture-import/import-progress.ts'
import { type Naming, nameOf } from '#shared/picture-import/picture-names.ts'
import {
  missing,
  type ReportRow,
  refused,
  reportHead,
  reportLine,
} from '#shared/picture-import/report-row.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { base64Of } from './picture-bytes.ts'

/** The maximum number of concurrent calls. */
export const callsAtOnce = 4
/** Above this similarity, two pictures are the same file rather than just the same person. */
const samePicture = 99.9
/** How many nearest faces are checked for the same picture under the same external id. */
const nearestAsked = 20
const mostTries = 6
const longestWaitInSeconds = 30
/** How many times a picture is sent if it times out or crashes the network that analyses it. */
const triesOfPicture = 3

/** A picture in the chosen folder, with its path inside that folder (using slashes). */
export interface FolderPicture {
  readonly path: string
  readonly file: Blob
}

/** The progress and results of an import so far. */
export interface FolderImportState extends ImportProgress {
  readonly isPaused: boolean
  readonly isDone: boolean
  /** The number of pictures per outcome: `kept`, `alreadyThere`, or the reason for a rejection. */
  readonly counts: Readonly<Record<string, number>>
  /** Why the import stopped; `resume` continues it. */
  readonly problem: unknown
}

/** An import that adds a folder to a collection. */
export interface FolderImport {
  /** Runs until all pictures are done. A no-op while the import is already running. */
  start(): Promise<void>
  /** Starts no more calls, but waits for the ones in flight. */
  pause(): void
  resume(): void
  /** The results so far, as CSV. */
  report(): string
}

interface Options {
  readonly calls: Pick<ConsoleCalls['recognition'], 'searchCandidates' | 'indexFace'>
  readonly collectionId: string
  readonly pictures: readonly FolderPicture[]
  readonly naming: Naming
  /** The table's faulty rows. */
  readonly faults: readonly ReportRow[]
  /** The lowest unified score at which a picture's face is added; 0 for no limit. */
  readonly leastQuality: number
  readonly milliseconds: () => number
  readonly wait: (milliseconds: number) => Promise<void>
  readonly onChange: (state: FolderImportState) => void
}

/**
 * Adds the faces in a folder's pictures to a collection through the public endpoints, with at most four calls in flight. Each picture is
 * first searched for under its external id, so importing a folder twice adds no duplicates.
 */
export function createFolderImport(options: Options): FolderImport {
  const { pictures, milliseconds, onChange } = options
  const rows: ReportRow[] = rowsOfTable(options)
  const progress = createImportProgress(pictures.length, 0, milliseconds)
  const gate = createGate()
  let next = 0
  let isRunning = false
  let problem: unknown

  const change = () => {
    const now = progress.now()
    const isDone = now.done === now.total
    onChange({ ...now, isPaused: gate.isClosed(), isDone, counts: countsOf(rows), problem })
  }
  const rowOfSurely = createTaking(options, gate, (error) => {
    problem = error
    gate.close()
    change()
  })

  async function lane(): Promise<void> {
    while (next < pictures.length) {
      await gate.passed()
      const picture = pictures[next++]
      if (picture === undefined) return
      rows.push(await rowOfSurely(picture))
      progress.step()
      change()
    }
  }

  return {
    async start() {
      if (isRunning) return
      isRunning = true
      change()
      await Promise.all(Array.from({ length: callsAtOnce }, lane))
    },
    pause() {
      gate.close()
      change()
    },
    resume() {
      problem = undefined
      gate.open()
      change()
    },
    report: () => reportHead + rows.map(reportLine).join(''),
  }
}

/**
 * Imports one picture. Retries after network errors; any other error stops the import until it is resumed.
 * [Note: Blame the picture if other calls succeed] A picture that gets no answer is skipped after a few tries: immediately if other
 * calls were answered in the meantime, otherwise only after the import was stopped and resumed without success.
 */
function createTaking(given: Options, gate: Pick<Gate, 'passed'>, stop: (problem: unknown) => void) {
  let answers = 0
  const calls = gated(given, gate, () => answers++)
  const options = { ...given, calls }
  const seen = new Map<string, Promise<ReportRow>>()
  return async (picture: FolderPicture): Promise<ReportRow> => {
    const before = answers
    let wasStopped = false
    for (let tries = 1; ; tries++) {
      await gate.passed()
      try {
        return await importPicture(options, seen, picture)
      } catch (error) {
        const mayBeIts = mayBeOfPicture(error)
        if (mayBeIts && tries % triesOfPicture !== 0) {
          await options.wait(1000 * tries)
          continue
        }
        if (mayBeIts && (wasStopped || answers > before)) return givenUp(options, picture, error)
        wasStopped ||= mayBeIts
        stop(error)
      }
    }
  }
}

/** Wraps the calls: reports each answer, starts none while the gate is closed, and retries later if the server is overloaded. */
function gated(
  { calls: { searchCandidates, indexFace }, wait }: Options,
  gate: Pick<Gate, 'passed'>,
  onAnswer: () => void,
): Options['calls'] {
  async function made<T>(call: () => Promise<T>): Promise<T> {
    const given = await patiently(wait, async () => {
      await gate.passed()
      return call()
    })
    onAnswer()
    return given
  }
  return {
    searchCandidates: (...given) => made(() => searchCandidates(...given)),
    indexFace: (...given) => made(() => indexFace(...given)),
  }
}

/** True if the picture itself may be the cause, because it takes too long or causes a crash. Network and permission errors do not count. */
function mayBeOfPicture(error: unknown): error is Error {
  if (error instanceof Problem) return error.code === 'request_timeout' || error.code === 'internal_error'
  return error instanceof Error && error.name === 'TimeoutError'
}

function givenUp({ naming }: Options, { path }: FolderPicture, { message }: Error): ReportRow {
  const named = nameOf(path, naming)
  return refused(path, 'failed', message, 'reason' in named ? {} : named)
}

type Gate = ReturnType<typeof createGate>

/** Creates a gate. While it is closed, calls wait in front of it. */
function createGate() {
  let open: (() => void) | undefined
  let closed: Promise<void> | undefined
  return {
    isClosed: () => closed !== undefined,
    passed: async () => closed,
    close() {
      closed ??= new Promise((resolve) => {
        open = resolve
      })
    },
    open() {
      closed = undefined
      open?.()
    },
  }
}

/** The report rows that can be derived from the table alone. */
function rowsOfTable({ naming, pictures, faults }: Options): ReportRow[] {
  const listed = typeof naming === 'string' ? [] : [...naming.keys()]
  const paths = new Set(pictures.map(({ path }) => path))
  const absent = listed.filter((file) => !paths.has(file))
  return [...faults, ...absent.map(missing)]
}

function countsOf(rows: readonly ReportRow[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const { reason } of rows) found[reason ?? 'kept'] = (found[reason ?? 'kept'] ?? 0) + 1
  return found
}

async function importPicture(
  options: Options,
  seen: Map<string, Promise<ReportRow>>,
  { path, file }: FolderPicture,
): Promise<ReportRow> {
  const named = nameOf(path, options.naming)
  if ('reason' in named) return refused(path, named.reason, named.detail)
  const { externalId } = named
  if (file.size > imageLimits.bytes)
    return refused(path, 'unreadable', 'Must be at most 10 MiB.', { externalId })
  // The file was moved, changed or deleted after it was chosen, so a retry would not help.
  const read = await file.arrayBuffer().catch((fault: unknown) => String(fault))
  if (typeof read === 'string') return refused(path, 'failed', read, { externalId })
  const bytes = new Uint8Array(read)
  const key = `${externalId ?? ''}\n${await digestBytes(bytes)}`
  const earlier = seen.get(key)
  if (earlier !== undefined) {
    const row = await earlier
    return { ...row, file: path, reason: row.faceId === null ? row.reason : 'alreadyThere' }
  }
  const row = sent(options, path, bytes, externalId)
  seen.set(key, row)
  row.catch(() => seen.delete(key))
  return row
}

/** Returns the server's result for a picture. @throws {Problem} for errors that are not the picture's fault */
async function sent(
  { calls, collectionId, leastQuality }: Options,
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  externalId: string | null,
): Promise<ReportRow> {
  const image = { bytes: base64Of(bytes) }
  try {
    const found = await calls.searchCandidates({
      image,
      collectionIds: [collectionId],
      faceMatchThreshold: 0,
      maxCandidates: nearestAsked,
    })
    if (!found.hasFace || found.quality === null) return refused(file, 'noFace', '', { externalId })
    const quality = found.quality.unifiedScore
    const row = { file, externalId, quality, detail: '' }
    if (found.unprocessedFaceCount > 0)
      return refused(file, 'severalFaces', `${found.unprocessedFaceCount + 1} faces`, { externalId, quality })
    const same = found.candidates.find(
      (one) => one.similarity >= samePicture && one.externalId === externalId,
    )
    if (same !== undefined) return { ...row, faceId: same.faceId, reason: 'alreadyThere', nearest: null }
    const body = { image, collectionId, externalId, qualityGate: { least: leastQuality } }
    const { faceId, refusedBy } = await calls.indexFace(body)
    if (refusedBy !== undefined)
      return refused(file, 'lowQuality', refusedBy.join(' '), { externalId, quality })
    const [nearest = null] = found.candidates
    return { ...row, faceId, reason: null, nearest }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'unreadable_image') throw error
    return refused(file, 'unreadable', error.errors[0]?.message ?? error.detail, { externalId })
  }
}

async function patiently<T>(wait: Options['wait'], call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      const isBusy = error instanceof Problem && (error.status === 429 || error.status === 503)
      if (!isBusy || tries >= mostTries) throw error
      await wait(1000 * Math.min(longestWaitInSeconds, error.retryAfterInSeconds ?? 2 ** tries))
    }
  }
}

async function digestBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
