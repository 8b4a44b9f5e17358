import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'

/** A configuration as it stands in the JSON: members that the form does not know stay where they are. */
export type Config = VerificationConfig
type Members = Readonly<Record<string, unknown>>

/** What stands at a path such as `verifierConfigs.liveness.type`; undefined where it leads nowhere. */
export function memberAt(config: Config, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isMembers(at) ? at[name] : undefined), config)
}

/** The configuration with another value there. Undefined takes the member away, and sections that are empty then. */
export function withMember(config: Config, path: string, value: unknown): Config {
  return changed(config, path.split('.'), value) ?? {}
}

function changed(at: unknown, [name, ...rest]: string[], value: unknown): Members | undefined {
  const members = isMembers(at) ? { ...at } : {}
  const next = rest.length === 0 ? value : changed(members[name!], rest, value)
  if (next === undefined) delete members[name!]
  else members[name!] = next
  return Object.keys(members).length === 0 ? undefined : members
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Switches liveness; what makes no sense without it goes with it. */
export function withLiveness(config: Config, isOn: boolean): Config {
  if (isOn) return withMember(config, 'verifierConfigs.liveness.type', 'Verification')
  const names = ['type', 'leastAssurance']
  return names.reduce((now, name) => withMember(now, `verifierConfigs.liveness.${name}`, undefined), config)
}

/** Chooses the least assurance; evidence that may be left out reaches no more than `low`. */
export function withLeastAssurance(config: Config, least: string): Config {
  const liveness = 'verifierConfigs.liveness'
  if (least === 'low') return withMember(config, `${liveness}.leastAssurance`, undefined)
  return withMember(
    withMember(config, `${liveness}.evidence`, undefined),
    `${liveness}.leastAssurance`,
    least,
  )
}

export const ageTypes = ['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification'] as const
export type AgeType = (typeof ageTypes)[number]

/** The usual limit, where a rule begins. */
const fullAge = 18

/** Chooses how age is looked at; a rule begins with values that the server takes, and the other rule goes. */
export function withAgeType(config: Config, type: AgeType): Config {
  const age = 'verifierConfigs.age'
  const kept = memberAt(config, age)
  const { thresholdConfig, rangeConfig, ...others } = isMembers(kept) ? kept : {}
  const rules: Readonly<Record<AgeType, Members>> = {
    Disabled: {},
    CalculationOnly: {},
    ThresholdVerification: { thresholdConfig: thresholdConfig ?? { threshold: fullAge, direction: 'Above' } },
    RangeVerification: { rangeConfig: rangeConfig ?? { minimum: fullAge, maximum: 99 } },
  }
  if (type === 'Disabled') {
    const { type: _, ...rest } = others
    return withMember(config, age, Object.keys(rest).length === 0 ? undefined : rest)
  }
  return withMember(config, age, { ...others, type, ...rules[type] })
}

/** A whole number that was typed; undefined for nothing, so that the server's own default holds. */
export function numberFrom(typed: string): number | undefined {
  const value = Number(typed)
  return typed.trim() === '' || Number.isNaN(value) ? undefined : value
}

/** The JSON as it is shown. */
export function printConfig(config: Config): string {
  return JSON.stringify(config, null, 2)
}

/** Reads what somebody wrote as JSON; undefined where it is no configuration. */
export function parseConfig(text: string): Config | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? (value as Config) : undefined
  } catch {
    return undefined
  }
}
