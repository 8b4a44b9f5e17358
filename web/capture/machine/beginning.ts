import type { Event, Situation, Step } from './state.ts'
import { openAgain } from './steps.ts'

/** Acts that need a session. Declining, and choosing another way, begin it in the background. */
const acts: ReadonlySet<Event['type']> = new Set<Event['type']>(['agree', 'usePhone'])

/**
 * [Note: Loading is no act] Programs open links before people do, so a one-time link is used up by what a person does. The session begins then, and
 * the act goes on once it is there.
 */
export function beginsBy(event: Event, { state, context }: Situation): Step | undefined {
  if (context.isBegun || state.name !== 'consent' || !acts.has(event.type)) return undefined
  return { ...openAgain(), context: { act: { state, event } } }
}
