import type { Event, Situation, Step } from './state.ts'
import { openAgain } from './steps.ts'

/** Actions that need a session. Declining or choosing another way begins it in the background. */
const acts: ReadonlySet<Event['type']> = new Set<Event['type']>(['agree', 'usePhone'])

/**
 * [Note: Loading is no act] Programs open links before people do, so a one-time link must only be used up when a person acts. The
 * session begins at that point, and the action continues once the session exists.
 */
export function beginsBy(event: Event, { state, context }: Situation): Step | undefined {
  if (context.isBegun || state.name !== 'consent' || !acts.has(event.type)) return undefined
  return { ...openAgain(), context: { act: { state, event } } }
}
