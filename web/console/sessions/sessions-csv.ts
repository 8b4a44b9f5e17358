import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { csvLine } from '#shared/picture-import/csv.ts'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { secondsOf } from './sorting.ts'

/** Tells spreadsheets to read the file as UTF-8. */
const byteOrderMark = '\ufeff'

type Cell = (session: ListedSession, words: ConsoleWording) => string | number | null | undefined

/** The columns and their headers. Words are in the viewer's language, times in ISO 8601. */
const columns: readonly (readonly [head: (words: ConsoleWording) => string, cell: Cell])[] = [
  [({ sessions }) => sessions.session, ({ verificationSessionId }) => verificationSessionId],
  [({ sessions }) => sessions.time, ({ createdAt }) => createdAt],
  [({ session }) => session.tookSeconds, (session) => secondsOf(session)],
  [({ overview }) => overview.outcome, ({ outcome }, { overview }) => overview[outcome]],
  [({ sessions }) => sessions.state, ({ state }, words) => words.state[state]],
  [
    ({ sessions }) => sessions.result,
    ({ verificationResult }, { result }) => verificationResult && result[verificationResult],
  ],
  [
    ({ sessions }) => sessions.reasons,
    ({ verificationFailedReasons }, { reason }) =>
      verificationFailedReasons?.map((one) => reason[one]).join('; '),
  ],
  [({ sessions }) => sessions.person, ({ externalId }) => externalId],
  [({ sessions }) => sessions.correlation, ({ correlationId }) => correlationId],
  [
    ({ sessions }) => sessions.verification,
    ({ verificationName, verificationId }) => verificationName ?? verificationId,
  ],
  [({ sessions }) => sessions.assurance, ({ assurance: level }, { assurance }) => level && assurance[level]],
  [({ sessions }) => sessions.source, ({ source: from }, { source }) => source[from]],
  [({ overview }) => overview.split.device, ({ device: on }, { device }) => on && device[on]],
  [({ overview }) => overview.split.browser, ({ browser: by }, { browser }) => by && browser[by]],
  [({ sessions }) => sessions.tries, ({ tries }) => tries],
  [({ sessions }) => sessions.review, ({ review }, { result }) => review && result[review.decision]],
]

/**
 * [Note: A list separator splits cells] Spreadsheets that use a different separator split comma-separated cells differently, and a part
 * that begins with an operator would then be evaluated as a formula.
 */
const inert = (cell: string) => cell.replace(/([;\t|])(?=\s*[=+\-@])/g, "$1'")

/** Formats sessions as CSV for spreadsheets, without letting formulas that a caller put into an id run. */
export function sessionsCsv(sessions: readonly ListedSession[], words: ConsoleWording): string {
  const head = csvLine(columns.map(([name]) => name(words)))
  const lines = sessions.map((session) =>
    csvLine(columns.map(([, cell]) => inert(String(cell(session, words) ?? '')))),
  )
  return byteOrderMark + head + lines.join('')
}
