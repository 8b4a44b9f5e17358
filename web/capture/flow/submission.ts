import { Problem } from '#shared/problem.ts'
import type { Event } from '#web/capture/machine/state.ts'
import type { SessionClient } from '#web/capture/sending/submit.ts'
import { handoffOf } from './handoff.ts'
import { finished } from './session-opening.ts'

/** Makes the place of a session's submissions: one at a time; an answer to one that was dropped, replaced or begun anew is not heard. */
export function createSubmission(
  send: (event: Event) => void,
  client: Pick<SessionClient, 'find'>,
  token: () => string,
) {
  let pending: (() => Promise<void>) | undefined
  let turn = 0
  return {
    /** Submits what `attempt` sends; `wanted` tells it whether the answer is still waited for. */
    submit(attempt: (wanted: () => boolean) => Promise<Event>): Promise<void> {
      pending = async () => {
        const mine = ++turn
        const wanted = () => turn === mine
        const event = await attempt(wanted).catch((error) => refusal(error, client, token()))
        if (!wanted()) return
        if (event.type !== 'unsent') pending = undefined
        send(event)
      }
      return pending()
    },
    /** Submits once more what could not be sent. */
    again: () => pending?.(),
    drop() {
      turn++
      pending = undefined
    },
  }
}

/**
 * What a submission that was refused means. A closed session has its result already; an expired one is over; one that stands elsewhere than the page
 * thought is asked for anew. Whatever else was refused will be again.
 */
async function refusal(error: unknown, client: Pick<SessionClient, 'find'>, token: string): Promise<Event> {
  if (!(error instanceof Problem)) return { type: 'unsent' }
  const { code, status } = error
  const find = () => client.find(token).catch(() => undefined)
  if (code === 'session_handed_over' || code === 'session_token_ended') {
    const found = await find()
    return { type: 'elsewhere', handoff: (found && handoffOf(found)) ?? null }
  }
  if (code === 'session_closed' || code === 'conflict') return finished(await find())
  if (status === 410 || status === 401 || status === 404) return { type: 'expired' }
  return code === 'step_out_of_order' ? { type: 'outOfStep' } : { type: 'notOpened', problem: 'wrong' }
}
