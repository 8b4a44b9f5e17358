import { type Ability, can, type Pack } from '#models/rules/packs.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { type Fault, Problem } from '#shared/problem.ts'

type Verifiers = NonNullable<VerificationConfig['verifierConfigs']>

/** The verifiers that need more than face detection and recognition. */
const needs = {
  liveness: 'liveness',
  age: 'demographic',
  gender: 'demographic',
  emotion: 'expression',
} as const satisfies Partial<Record<keyof Verifiers, Ability>>

/** The parts of a configuration for which the pack has no network. `root` is the JSON pointer to the verifiers. */
export function faultsOfPack(pack: Pack, verifiers: Verifiers | undefined, root: string): Fault[] {
  const names = Object.keys(needs) as (keyof typeof needs)[]
  const missing = names.filter((name) => isOn(verifiers, name) && !can(pack, needs[name]))
  return missing.map((name) => ({ pointer: `${root}/${name}/type`, message: unavailableInPack(pack, name) }))
}

function isOn(verifiers: Verifiers | undefined, name: keyof typeof needs): boolean {
  return (verifiers?.[name]?.type ?? 'Disabled') !== 'Disabled'
}

/** Begins with a machine-readable code. */
export function unavailableInPack({ name }: Pack, what: string): string {
  return `unavailableInPack: the ${name} pack has no network for ${what}.`
}

/** @throws {Problem} 400 */
export function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length === 0) return
  throw new Problem('invalid_request', 'The request is invalid; see errors.', { errors })
}
