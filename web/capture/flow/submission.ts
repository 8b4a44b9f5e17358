import { Problem } from '#shared/problem.ts'
import type { Event } from '#web/capture/machine/state.ts'
import type { SessionClient } from '#web/capture/sending/submit.ts'
import { handoffOf } from './handoff.ts'
import { finished } from './session-opening.ts'

/** Runs submissions one at a time. Answers to dropped, replaced or restarted submissions are ignored. */
export function createSubmission(
  send: (event: Event) => void,
  client: Pick<SessionClient, 'find'>,
  token: () => string,
) {
  let pending: (() => Promise<void>) | undefined
  let turn = 0
  return {
    /** Submits using `attempt`, which can check `wanted` to see whether its answer is still needed. */
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
    /** Retries a submission that could not be sent. */
    again: () => pending?.(),
    drop() {
      turn++
      pending = undefined
    },
  }
}

/**
 * Handles a rejected submission. A completed session already has its result, and an expired one is over. If the page's state is outdated,
 * it is loaded again. Any other rejection would only happen again.
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
