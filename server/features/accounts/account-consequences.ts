import type { Account } from '#server/features/callers/callers.ts'
import type { Consequence } from '#shared/consequences.ts'
import type { AccountSettings } from './account-records.ts'

type Setting = keyof AccountSettings
type Rules = {
  readonly [S in Setting]:
    | readonly [Consequence, (before: Account[S], after: Account[S]) => boolean]
    | undefined
}

/** Affects only what visitors see, or how reviewers share their work. */
const harmless = undefined

/** [Note: Every setting is weighed] A setting without a line here does not compile. */
const rules: Rules = {
  name: harmless,
  displayName: harmless,
  accentColour: harmless,
  logo: harmless,
  look: harmless,
  embedOrigins: ['framedElsewhere', isWider],
  supportUrl: ['personElsewhere', (before, after) => after != null && after !== before],
  webhookCarriesKey: ['keySent', (before, after) => after && !before],
  attemptLimit: ['attemptsLoosened', (before, after) => mostAttempts(after) > mostAttempts(before)],
  secondOpinionPercent: harmless,
  defaultTokenScope: ['tokensWidened', (before, after) => isWider(scopesIn(before), scopesIn(after))],
}

/** The consequences of changing an account's settings. */
export function accountConsequences(before: Account, settings: AccountSettings): readonly Consequence[] {
  const found = (Object.keys(settings) as Setting[]).flatMap((setting) =>
    consequenceOf(setting, before, settings),
  )
  return [...new Set(found)]
}

function consequenceOf<S extends Setting>(setting: S, before: Account, settings: AccountSettings) {
  const rule = rules[setting]
  if (rule === undefined) return []
  const [consequence, isWeaker] = rule
  return isWeaker(before[setting], settings[setting] as Account[S]) ? [consequence] : []
}

/** The deployment's limit is not known here, so it counts as the strictest. */
function mostAttempts(limit: Account['attemptLimit']): number {
  return limit === 'off' ? Number.POSITIVE_INFINITY : (limit ?? 0)
}

/** Null means every scope that a bearer token may carry. */
function scopesIn(scope: Account['defaultTokenScope']): readonly string[] {
  return scope == null ? ['analyse', 'configure'] : scope.split(' ')
}

function isWider(before: readonly string[], after: readonly string[]): boolean {
  return after.some((one) => !before.includes(one))
}
