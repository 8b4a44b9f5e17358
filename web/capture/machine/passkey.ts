import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import { offerFurtherTry } from './further-try.ts'
import type { Context, Event, Outcome, Reactions, State, StateOf, Step } from './state.ts'
import { show } from './steps.ts'

/** [Note: A passkey is never in the way] Both screens can be skipped, no matter what went wrong with the passkey. */
export const passkey = {
  passkeyAsked: (event, state) => heldWith(event, state, 'verify', { state: { name: 'ready' } }),
  passkeyOffered: (event, state) => heldWith(event, state, 'bind', show(state.outcome)),
} satisfies Partial<Reactions>

/** The first state after consent. */
export function begin({ asksPasskey, progress }: Pick<Context, 'asksPasskey' | 'progress'>): State {
  const isAsked = asksPasskey && progress.kind === 'fresh'
  return isAsked ? { name: 'passkeyAsked', phase: 'waiting' } : { name: 'ready' }
}

/** Shows the verdict, after offering a passkey if that is possible. Alternatively offers another try. */
export function conclude(outcome: Outcome, context: Context): Step {
  const { furtherTry } = outcome
  if (furtherTry !== undefined) return offerFurtherTry({ furtherTry }, context)
  if (outcome.offersPasskey !== true) return show(outcome)
  return {
    state: { name: 'passkeyOffered', phase: 'waiting', outcome },
    context: { nearDeadline: false },
  }
}

function heldWith(
  event: Event,
  state: StateOf<'passkeyAsked' | 'passkeyOffered'>,
  ceremony: PasskeyCeremony,
  onward: Step,
): Step | undefined {
  switch (event.type) {
    case 'usePasskey':
      if (state.phase === 'busy') return undefined
      return { state: { ...state, phase: 'busy' }, effects: [{ type: 'passkey', ceremony }] }
    case 'passkeyDone':
      return event.worked ? onward : { state: { ...state, phase: 'unused' } }
    case 'withoutPasskey':
      return onward
    default:
      return undefined
  }
}
