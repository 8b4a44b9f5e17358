import { beginsBy } from './beginning.ts'
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

/** The page's state before anything is known. */
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
    isBegun: false,
    act: null,
  },
}

/** The effects that run when the page loads. */
export const firstEffects: readonly Effect[] = openAgain().effects

interface Transition {
  readonly situation: Situation
  readonly effects: readonly Effect[]
}

/** Handles one event. Pure: effects are values that flow.ts runs. */
export function advance(before: Situation, event: Event): Transition {
  const after = advanceOnce(before, event)
  const { state, context } = after.situation
  const { act } = context
  if (act === null || !context.isBegun) return after
  const situation = { state, context: { ...context, act: null } }
  // The session may be further along than the link suggested, for example because of another tab in this browser.
  if (state.name !== act.state.name) return { ...after, situation }
  const acted = advanceOnce(situation, act.event)
  const others = after.effects.filter(({ type }) => type !== 'prepare') // done since the link was read
  return { ...acted, effects: [...others, ...acted.effects] }
}

function advanceOnce(situation: Situation, event: Event): Transition {
  const { state, context } = situation
  const step = beginsBy(event, situation) ?? roundAbout(event, state, context) ?? react(event, situation)
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
