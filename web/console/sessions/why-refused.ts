import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { fill } from '#web/wording/fill.ts'

type Judged = Pick<ListedSession, 'outcome' | 'verificationFailedReasons' | 'tries'>

/** Answers “why was this person refused?” in one sentence, with a variant for people who were not refused. */
export function whyRefused(session: Judged, { why, because }: ConsoleWording): string {
  const { outcome, verificationFailedReasons, tries } = session
  const reasons = verificationFailedReasons ?? []
  if (outcome === 'expired') return why.expired
  if (outcome === 'open') return why.open
  if (outcome === 'passed') return why.passed
  const clauses = reasons.map((reason) => because[reason])
  const joined = clauses.reduce((before, last) => fill(why.and, { before, last }))
  if (outcome === 'left') return fill(why.left, { reasons: joined })
  return fill(tries > 1 ? why.tried : why.refused, { reasons: joined, n: tries })
}
