import type { Account } from '#server/features/callers/callers.ts'
import type { Consequence } from '#shared/contract/console/consequences.ts'
import type { AccountSettings } from './account-records.ts'

type Setting = keyof AccountSettings
type Rules = {
  readonly [S in Setting]:
    | readonly [Consequence, (before: Account[S], after: Account[S]) => boolean]
    | undefined
}

/** How pages look, and on whose behalf visitors are told that they are checked. */
const harmless = undefined

/** [Note: Every setting is weighed] A setting without a line does not compile. */
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
  defaultTokenScope: ['tokensWidened', (before, after) => isWider(scopesIn(before), scopesIn(after))],
}

/** What a change of an account's settings leads to. */
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

/** The deployment's own limit, which is not known here, counts as the strictest. */
function mostAttempts(limit: Account['attemptLimit']): number {
  return limit === 'off' ? Number.POSITIVE_INFINITY : (limit ?? 0)
}

/** Null stands for everything that a bearer may carry. */
function scopesIn(scope: Account['defaultTokenScope']): readonly string[] {
  return scope == null ? ['analyse', 'configure'] : scope.split(' ')
}

function isWider(before: readonly string[], after: readonly string[]): boolean {
  return after.some((one) => !before.includes(one))
}
