import { exportPerson } from '#shared/contract/account/person.ts'
import {
  cancelSession,
  getSessions,
  type ListedSession,
  reviewSession,
} from '#shared/contract/sessions/session-list.ts'
import { getUsage, type UsageCounts, type UsageInterval } from '#shared/contract/sessions/session-usage.ts'
import type { Arguments } from '#shared/endpoint.ts'
import type { Command, Context } from './command.ts'

const text = { type: 'string' } as const
/** The list's options besides `--limit` and `--cursor`, and the filters that they set. */
const filters = {
  verification: 'verificationId',
  state: 'state',
  result: 'verificationResult',
  reason: 'failedReason',
  person: 'externalId',
  correlation: 'correlationId',
  kiosk: 'kioskId',
  source: 'source',
  from: 'createdFrom',
  to: 'createdTo',
  limit: 'limit',
  cursor: 'cursor',
} as const

const sessions: Command = {
  summary:
    'Lists sessions of the last 7 days, newest first; takes the filters of get-sessions, such as --result Fail or --person ID; --from and --to are times.',
  options: Object.fromEntries(Object.keys(filters).map((option) => [option, text])),
  async run({ call, services, text: given }) {
    const asked = Object.entries(filters).flatMap(([option, name]) => {
      const value = given(option)
      return value === undefined ? [] : [[name, value] as const]
    })
    const query = Object.fromEntries(asked) as Arguments<typeof getSessions>['query']
    const result = await call('getSessions', getSessions, services.sessions.getSessions, { query })
    const more = result.cursor === null ? [] : [`More with --cursor ${result.cursor}`]
    const lines = [...result.sessions.map(sessionLine), ...more]
    return { result, lines: lines.length > 0 ? lines : ['There are no sessions.'] }
  },
}

const cancel: Command = {
  summary: 'Cancels an open session, and waits for its webhook.',
  subject: 'SESSION',
  async run({ call, services, subject }) {
    const body = { verificationSessionId: subject }
    const result = await call('cancelSession', cancelSession, services.sessions.cancelSession, { body })
    await services.deliveries.settle()
    return { result, lines: [`The session ${subject} is expired.`] }
  },
}

const review: Command = {
  summary:
    'Records a review of a session: --decision Pass or Fail, --note with a text; --if-reviewed-at TIME replaces the review of that time.',
  subject: 'SESSION',
  options: { decision: text, note: text, 'if-reviewed-at': text },
  async run({ call, services, subject, text: given }) {
    const [decision, note] = [given('decision') as 'Pass', given('note')]
    const ifReviewedAt = given('if-reviewed-at') ?? null
    const body = {
      verificationSessionId: subject,
      decision,
      ifReviewedAt,
      ...(note !== undefined && { note }),
    }
    const result = await call('reviewSession', reviewSession, services.sessions.reviewSession, { body })
    await services.deliveries.settle()
    return { result, lines: [`The review of ${subject} is recorded: ${decision}.`] }
  },
}

const usage: Command = {
  summary:
    'Counts sessions between --from TIME and --to TIME by --interval hour or day, optionally of one --verification.',
  options: { from: text, to: text, interval: text, verification: text },
  async run(context) {
    const result = await context.call('getUsage', getUsage, context.services.sessions.getUsage, {
      query: usageQuery(context),
    })
    return { result, lines: result.intervals.map(usageLine) }
  },
}

const exportThePerson: Command = {
  summary: 'Prints everything stored about a person, as JSON.',
  subject: 'EXTERNAL_ID',
  async run({ call, services, subject }) {
    const query = { externalId: subject }
    const result = await call('exportPerson', exportPerson, services.exportPerson, { query })
    return { result, lines: [JSON.stringify(result, null, 2)] }
  },
}

export const sessionCommands: Readonly<Record<string, Command>> = {
  sessions,
  'cancel-session': cancel,
  'review-session': review,
  usage,
  'export-person': exportThePerson,
}

function usageQuery({ text: given }: Context): Arguments<typeof getUsage>['query'] {
  const verificationId = given('verification')
  const [from, to] = [given('from') as string, given('to') as string]
  const interval = given('interval') as UsageInterval
  return { from, to, interval, ...(verificationId !== undefined && { verificationId }) }
}

function sessionLine(session: ListedSession): string {
  const { verificationSessionId, createdAt, state, source, verificationName } = session
  const result = [session.verificationResult ?? '', ...(session.verificationFailedReasons ?? [])]
    .join(' ')
    .trim()
  const of = verificationName === null ? '' : `  ${verificationName}`
  return `${verificationSessionId}  ${createdAt}  ${state}  ${source}${of}${result === '' ? '' : `  ${result}`}`
}

function usageLine({ from, states, results, medianDurationInSeconds }: UsageCounts): string {
  const took = medianDurationInSeconds === null ? '' : `  median ${medianDurationInSeconds} s`
  return `${from}  opened ${states.opened}  submitted ${states.submitted}  Pass ${results.Pass}  Fail ${results.Fail}${took}`
}
