import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'

/** A configuration as it appears in the JSON. Members without a form field stay unchanged. */
export type Config = VerificationConfig
type Members = Readonly<Record<string, unknown>>

/** The value at a path such as `verifierConfigs.liveness.type`, or undefined. */
export function memberAt(config: Config, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isMembers(at) ? at[name] : undefined), config)
}

/** Sets the value at a path. Undefined removes the member, along with any sections that become empty. */
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

/** Turns liveness on or off. Turning it off removes settings that depend on it. */
export function withLiveness(config: Config, isOn: boolean): Config {
  if (isOn) return withMember(config, 'verifierConfigs.liveness.type', 'Verification')
  const names = ['type', 'leastAssurance']
  return names.reduce((now, name) => withMember(now, `verifierConfigs.liveness.${name}`, undefined), config)
}

/** Sets the lowest assurance. Removes optional evidence, because sessions that use it reach `low` at most. */
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

/** The initial value for a new age rule. */
const fullAge = 18

/** Sets the type of age check. A new rule gets valid initial values and the other rule is removed. */
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

const face = 'verifierConfigs.faceRecognition'

/** Sets the type of face recognition. Without any, no face can be compared, so the collections that must not match go too. */
export function withFaceType(config: Config, type: string): Config {
  if (type !== 'Disabled') return withMember(config, `${face}.type`, type)
  return withMember(withDenied(config, []), `${face}.type`, undefined)
}

/** The collections of faces that must not pass. */
export function deniedIn(config: Config): readonly string[] {
  const ids = memberAt(config, `${face}.denyCollectionIds`)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** Sets these collections. Without any, the consequence of a match is removed as well. */
export function withDenied(config: Config, ids: readonly string[]): Config {
  if (ids.length > 0) return withMember(config, `${face}.denyCollectionIds`, ids)
  const names = ['denyCollectionIds', 'denyMode']
  return names.reduce((now, name) => withMember(now, `${face}.${name}`, undefined), config)
}

/** Parses an integer. Returns undefined for empty text, so that the server's default applies. */
export function numberFrom(typed: string): number | undefined {
  const value = Number(typed)
  return typed.trim() === '' || Number.isNaN(value) ? undefined : value
}

/** Formats the JSON for display. */
export function printConfig(config: Config): string {
  return JSON.stringify(config, null, 2)
}

/** Parses JSON. Undefined if it is not a configuration. */
export function parseConfig(text: string): Config | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? (value as Config) : undefined
  } catch {
    return undefined
  }
}
