import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import type { Delivery } from './timeline.ts'

/** Everything that is known of one session. */
export interface OneSession {
  readonly listed: ListedSession | undefined
  readonly result: SessionResult | undefined
  readonly deliveries: readonly Delivery[]
}

/** How many pages of the list are gone through for a session that is not at its beginning. */
const mostPages = 20

/**
 * Puts one session together.
 * @throws {Problem} `not_found` where there is none of this id
 */
export async function loadSession(
  calls: ConsoleCalls,
  id: string,
  mayReadDeliveries: boolean,
): Promise<OneSession> {
  const [result, deliveries] = await Promise.all([
    loadResult(calls, id),
    mayReadDeliveries ? loadDeliveries(calls, id) : [],
  ])
  const listed = await findListed(calls, id, result?.correlationId)
  if (result === undefined && listed === undefined)
    throw new Problem('not_found', 'There is no such session.')
  return { listed, result, deliveries }
}

async function loadResult({ configuration }: ConsoleCalls, id: string): Promise<SessionResult | undefined> {
  try {
    return await configuration.getSessionResult({ verificationSessionId: id })
  } catch (problem) {
    if (problem instanceof Problem && problem.code === 'session_not_completed') return undefined
    throw problem
  }
}

async function loadDeliveries({ configuration }: ConsoleCalls, id: string): Promise<readonly Delivery[]> {
  const { deliveries } = await configuration.getDeliveries({ verificationSessionId: id, limit: 100 } as never)
  return deliveries
}

async function findListed({ configuration }: ConsoleCalls, id: string, correlationId: string | undefined) {
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const filters = { limit: 100, ...(correlationId === undefined ? {} : { correlationId }) }
    const answer = await configuration.getSessions({ ...filters, ...(cursor && { cursor }) } as never)
    const found = answer.sessions.find(({ verificationSessionId }) => verificationSessionId === id)
    if (found !== undefined || answer.cursor === null) return found
    cursor = answer.cursor
  }
  return undefined
}
