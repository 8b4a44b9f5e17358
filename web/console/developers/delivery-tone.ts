import type { Delivery } from '#web/console/sessions/timeline.ts'
import type { Tone } from '#web/console/ui/pieces.tsx'

/** A delivery's tone: one that is still being tried is a warning as soon as an attempt was refused. */
export function deliveryTone({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): Tone {
  if (state === 'delivered') return 'good'
  if (state === 'failed') return 'bad'
  return attempts.some(({ status, error }) => status !== null || error !== null) ? 'warn' : 'busy'
}
