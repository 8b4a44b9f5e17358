import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import type { Delivery } from './timeline.ts'

/** Everything about one session. */
export interface OneSession {
  readonly listed: ListedSession | undefined
  readonly result: SessionResult | undefined
  readonly timeline: SessionTimeline
  readonly deliveries: readonly Delivery[]
}

/**
 * Loads a session's data from several endpoints.
 * @throws {Problem} `not_found` if there is no session with this id
 */
export async function loadSession(
  calls: ConsoleCalls,
  id: string,
  mayReadDeliveries: boolean,
): Promise<OneSession> {
  const [timeline, list, result, deliveries] = await Promise.all([
    calls.configuration.getSessionTimeline({ verificationSessionId: id }),
    calls.configuration.getSessions({ verificationSessionId: id }),
    loadResult(calls, id),
    mayReadDeliveries ? loadDeliveries(calls, id) : [],
  ])
  return { listed: list.sessions[0], result, timeline, deliveries }
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
  const { deliveries } = await configuration.getDeliveries({ verificationSessionId: id, limit: 100 })
  return deliveries
}
