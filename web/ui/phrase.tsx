import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { placesOf } from '#web/wording/fill.ts'

/** A phrase that contains the integrator's names. Each name is isolated, so that its direction does not affect the sentence. */
export function Phrase({
  text,
  plan,
}: {
  text: string
  plan: Pick<CapturePlan, 'theme' | 'privacy' | 'history'> | null
}) {
  const values: Record<string, string> = plan === null ? {} : placesOf(plan)
  return (
    <>
      {text.split(/(\{\w+\})/).map((part) => {
        const value = values[part.slice(1, -1)]
        return value === undefined ? part : <bdi key={part}>{value}</bdi>
      })}
    </>
  )
}
