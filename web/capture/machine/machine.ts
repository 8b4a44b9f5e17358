import { capturing } from './capturing.ts'
import { finishing } from './finishing.ts'
import { furtherTry } from './further-try.ts'
import { handoff } from './handoff.ts'
import { opening } from './opening.ts'
import { passkey } from './passkey.ts'
import type { Effect, Event, Reactions, Situation, State, Step } from './state.ts'
import { openAgain } from './steps.ts'
import { roundAbout } from './wayside.ts'

const reactions: Reactions = {
  ...opening,
  ...capturing,
  ...finishing,
  ...handoff,
  ...passkey,
  ...furtherTry,
}

/** The page before anything is known. */
export const beginning: Situation = {
  state: { name: 'opening', slow: false },
  context: {
    plan: null,
    asker: null,
    progress: { kind: 'fresh' },
    accepted: 0,
    framesSent: 0,
    retakes: 0,
    attempt: 1,
    furtherTry: null,
    ranOut: false,
    consented: false,
    analysis: 'loading',
    reopened: false,
    nearDeadline: false,
    expiresAt: null,
    staysHere: false,
    isGuest: false,
    asksPasskey: false,
    code: null,
  },
}

/** The first effects of the page. */
export const firstEffects: readonly Effect[] = openAgain().effects

/** Handles one event. Pure: effects are values, executed by flow.ts. */
export function advance(
  situation: Situation,
  event: Event,
): { situation: Situation; effects: readonly Effect[] } {
  const { state, context } = situation
  const step = roundAbout(event, state, context) ?? react(event, situation)
  if (step === undefined) return { situation, effects: [] }
  return {
    situation: { state: step.state ?? state, context: { ...context, ...step.context } },
    effects: step.effects ?? [],
  }
}

function react(event: Event, { state, context }: Situation): Step | undefined {
  const reaction = reactions[state.name] as (
    event: Event,
    state: State,
    context: Situation['context'],
  ) => Step | undefined
  return reaction(event, state, context)
}
