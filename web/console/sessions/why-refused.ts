import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { fill } from '#web/wording/fill.ts'

type JudgedSession = Pick<
  ListedSession,
  'state' | 'verificationResult' | 'verificationFailedReasons' | 'tries'
>

/** Answers “why was this person refused?” in one sentence, with a variant for people who were not refused. */
export function whyRefused(session: JudgedSession, { why, because }: ConsoleWording): string {
  const { state, verificationResult, verificationFailedReasons, tries } = session
  const reasons = verificationFailedReasons ?? []
  if (state === 'Expired') return why.expired
  if (verificationResult === null) return why.open
  if (verificationResult === 'Pass') return why.passed
  const clauses = reasons.map((reason) => because[reason])
  const joined = clauses.reduce((before, last) => fill(why.and, { before, last }))
  return fill(tries > 1 ? why.tried : why.refused, { reasons: joined, n: tries })
}
