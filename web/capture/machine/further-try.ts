import type { Context, Outcome, Reactions, Step } from './state.ts'
import { sending, tryAgain } from './steps.ts'

/** [Note: A further try is no oracle] The screen is the same for every reason, and its advice relies only on what the device observed. */
export const furtherTry = {
  furtherTry(event, _state, context) {
    if (event.type === 'tryAgain') return tryAgain(context)
    if (event.type === 'anotherWay') return { state: { name: 'anotherWay', from: 'furtherTry' } }
    return undefined
  },
} satisfies Partial<Reactions>

/** Offers another try. All data from the previous one is deleted, both here and on the server. */
export function offerFurtherTry(
  { furtherTry: offered }: Required<Pick<Outcome, 'furtherTry'>>,
  { attempt, ranOut }: Context,
): Step {
  const tip = offered.tip ?? (ranOut ? 'steps' : null)
  return {
    state: { name: 'furtherTry' },
    context: {
      furtherTry: { ...offered, tip },
      attempt: attempt + 1,
      progress: { kind: 'fresh' },
      accepted: 0,
      framesSent: 0,
      retakes: 0,
      reopened: false,
      ranOut: false,
    },
  }
}

/** Ends the session with the previous try's verdict. */
export function leaveJudged(): Step {
  const sent = sending()
  return {
    ...sent,
    state: { name: 'sending', phase: 'leaving', share: 1, late: false },
    effects: [
      { type: 'closeCamera' },
      { type: 'dropSubmission' },
      { type: 'submitSession', closing: { kind: 'left' } },
      ...(sent.effects ?? []),
    ],
  }
}
