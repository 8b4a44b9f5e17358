import type { CapturePlan } from '#shared/contract/sessions/session.ts'

/** A phrase with the integrator's names in it, each isolated so that its direction does not disturb the sentence. */
export function Phrase({ text, plan }: { text: string; plan: CapturePlan | null }) {
  const values: Record<string, string | undefined> = {
    '{account}': plan?.theme.accountName,
    '{region}': plan?.theme.region,
  }
  return (
    <>
      {text.split(/(\{\w+\})/).map((part) => {
        const value = values[part]
        return value === undefined ? part : <bdi key={part}>{value}</bdi>
      })}
    </>
  )
}
