import { meetsAgeRule } from '#models/rules/age/age-rule.ts'
import { falseAcceptsOf } from '#models/rules/age/false-accepts.ts'
import type { Assurance } from '#shared/contract/configuration/check-settings.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { ageThresholdRange } from '#shared/contract/openid/openid-client.ts'
import type { OpenidClient } from './clients/client-store.ts'

const everyAge = Array.from(
  { length: ageThresholdRange.maximum - ageThresholdRange.minimum + 1 },
  (_, i) => ageThresholdRange.minimum + i,
)

const ageClaimOf = (threshold: number) => `age_over_${threshold}`

/** The scopes with their claims. No scope includes `age_estimate`, which has to be requested by name. */
export const claimsOfScopes: Record<string, string[]> = {
  openid: ['sub', 'acr', 'amr', 'environment', 'policy_version'],
  face: ['verified', 'assurance'],
  age: [...everyAge.map(ageClaimOf), 'age_assurance'],
  match: ['matched'],
}

/** The facts about a visit from which claims are derived. */
export interface VisitFacts {
  readonly environment: Environment
  readonly assurance: Assurance
  readonly policyVersion: string
  /** True if the face matched the one enrolled under the external id that the site named. */
  readonly isMatched: boolean
  /** Unrounded years, if the estimate is certain enough for a decision; undefined if no age was requested. */
  readonly estimatedAge: number | undefined
  /** The margin, in years, by which the verification requires an age limit to be exceeded. */
  readonly marginInYears: number
}

export type Claims = Readonly<Record<string, unknown>>

/** All claims that this client may learn from a visit. The provider returns only the requested ones. */
export function claimsOf(
  client: Pick<OpenidClient, 'ageThresholds' | 'mayAskAgeEstimate'>,
  facts: VisitFacts,
): Claims {
  const { environment, assurance, policyVersion, isMatched } = facts
  return {
    environment,
    policy_version: policyVersion,
    verified: true,
    assurance,
    ...(isMatched && { matched: true }),
    ...ageClaimsOf(client, facts),
  }
}

function ageClaimsOf(
  { ageThresholds, mayAskAgeEstimate }: Pick<OpenidClient, 'ageThresholds' | 'mayAskAgeEstimate'>,
  { estimatedAge, marginInYears }: VisitFacts,
): Claims {
  if (estimatedAge === undefined) return {}
  const rule = { type: 'ThresholdVerification', direction: 'Above', marginInYears } as const
  const over = ageThresholds.map((threshold) => [
    ageClaimOf(threshold),
    meetsAgeRule({ ...rule, threshold }, estimatedAge),
  ])
  return {
    ...Object.fromEntries(over),
    age_assurance: {
      method: 'facial_age_estimation',
      margin_in_years: marginInYears,
      false_accept_rates: ageThresholds.map((threshold) => measuredOf(threshold, marginInYears)),
    },
    ...(mayAskAgeEstimate && { age_estimate: Math.round(estimatedAge * 10) / 10 }),
  }
}

/** Null if the age was not measured. */
function measuredOf(threshold: number, marginInYears: number) {
  const found = falseAcceptsOf(threshold, marginInYears)
  if (found === null) return { threshold, rate: null }
  const { rate, low, high, ages, count } = found
  const measured = { ages, count, margin_in_years: found.marginInYears }
  return { threshold, rate, interval: [low, high], confidence: 0.95, measured }
}
