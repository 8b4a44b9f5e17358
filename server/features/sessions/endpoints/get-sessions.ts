import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import { type AccountCaller, environmentOf } from '#server/features/callers/callers.ts'
import type { SessionLists } from '#server/features/sessions/listing/session-lists.ts'
import type { ListCursor } from '#server/features/sessions/listing/session-register.ts'
import { knownOutcome } from '#server/features/sessions/records/milestones.ts'
import type { SessionHistory } from '#server/features/sessions/records/session-history.ts'
import { digestOfSession, type SessionRow, visitorOf } from '#server/features/sessions/records/session-row.ts'
import type { SessionRows } from '#server/features/sessions/records/session-rows.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { getSessions, ListedSession, SessionOrder } from '#shared/contract/sessions/session-list.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly lists: SessionLists
  readonly rows: Pick<SessionRows, 'read'>
  readonly history: Pick<SessionHistory, 'read'>
}

/** Rows as the contract lists them, with the current names of their verifications. */
export type SessionsAsListed = (
  accountId: string,
  found: readonly SessionRow[],
  environment: Environment,
) => Promise<ListedSession[]>

interface RowSources extends Pick<Dependencies, 'rows' | 'history'> {
  readonly verifications: Pick<Verifications, 'find'>
}

export function createSessionsAsListed({ rows, history, verifications }: RowSources): SessionsAsListed {
  async function readNames(accountId: string, found: readonly SessionRow[]): Promise<Map<string, string>> {
    const ids = new Set(found.flatMap(({ verificationId }) => verificationId ?? []))
    const named = await Promise.all([...ids].map((id) => verifications.find(accountId, id)))
    return new Map(named.flatMap((one) => (one === undefined ? [] : [[one.verificationId, one.name]])))
  }

  /** [Note: An erased session is named nowhere] Omits findings that name an erased session. */
  async function standing(
    accountId: string,
    findings: SessionRow['findings'],
  ): Promise<SessionRow['findings']> {
    if (findings === null || findings.length === 0) return findings
    const named = findings.map(async ({ verificationSessionId: id }) => {
      const digest = digestOfSession(id)
      return (await rows.read(accountId, digest)) ?? history.read(accountId, digest)
    })
    const are = await Promise.all(named)
    return findings.filter((_, i) => are[i] !== undefined)
  }

  return async (accountId, found, environment) => {
    const names = await readNames(accountId, found)
    const sessions = found.map(async (row) => {
      const findings = await standing(accountId, row.findings)
      return listed({ ...row, findings }, names, environment)
    })
    return Promise.all(sessions)
  }
}

/** Lists the sessions, one page at a time. */
export function createGetSessions(
  services: Dependencies,
  asListed: SessionsAsListed,
): Handler<typeof getSessions, AccountCaller> {
  const { accounts, lists, rows, history } = services
  return async ({ query: { limit, cursor, ...filters }, caller }) => {
    const { accountId } = caller
    const environment = environmentOf(caller.account ?? (await existingAccount(accounts, accountId)))
    const page = await lists.page(
      accountId,
      filters,
      limit,
      cursor === undefined ? undefined : readCursor(cursor, filters.order),
    )
    const read = await Promise.all(
      page.sessions.map(({ digest, isPast }) => (isPast ? history : rows).read(accountId, digest)),
    )
    const found = read.filter((row) => row !== undefined)
    return {
      sessions: await asListed(accountId, found, environment),
      cursor: page.next === null ? null : textOf(page.next),
    }
  }
}

function listed(
  row: SessionRow,
  names: ReadonlyMap<string, string>,
  environment: Environment,
): ListedSession {
  const { sessionId, result, reasons, created, completedAt } = row
  const { verificationId, state, externalId, correlationId, source, assurance, tries, findings, review } = row
  return {
    verificationId,
    state,
    outcome: knownOutcome(row),
    assignedTo: row.assignedTo ?? null,
    externalId,
    correlationId,
    source,
    ...visitorOf(row),
    assurance,
    tries,
    findings,
    review,
    verificationSessionId: sessionId,
    verificationName: (row.verificationId && names.get(row.verificationId)) ?? null,
    verificationResult: result,
    verificationFailedReasons: reasons === null ? null : [...reasons],
    environment,
    createdAt: new Date(created).toISOString(),
    completedAt: completedAt === null ? null : new Date(completedAt).toISOString(),
  }
}

/** Follows the contract's pattern: digests have a fixed length and may contain hyphens. */
function readCursor(text: string, order: SessionOrder): ListCursor {
  const [, created, digest, asOf, doubt] = /^(\d+)-(.{43})-(\d+)(?:-(\d+))?$/.exec(text)!
  if ((doubt !== undefined) !== (order === 'leastCertain'))
    throw Problem.at('#/query/cursor', 'Must be a cursor returned by a list with the same order.')
  const place = { created: Number(created), digest: digest!, asOf: Number(asOf) }
  return doubt === undefined ? place : { ...place, doubt: Number(doubt) }
}

function textOf({ created, digest, asOf, doubt }: ListCursor): string {
  return [created, digest, asOf, ...(doubt === undefined ? [] : [doubt])].join('-')
}
