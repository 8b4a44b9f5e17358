import type { Pack } from '#models/rules/packs.ts'
import { faultsOfPack } from '#server/features/packs/packs.ts'
import { resultFlags, type VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { choiceWording } from './wording/choice-wording.ts'

type Verifiers = NonNullable<VerificationConfig['verifierConfigs']>

export interface Option {
  readonly value: string
  readonly label: string
  readonly verifiers: Verifiers
}

export interface Choice {
  readonly name: string
  readonly label: string
  readonly options: readonly Option[]
}

const fromEighteen = { threshold: 18, direction: 'Above' } as const
const verifiersBy: Readonly<Record<keyof typeof choiceWording, Readonly<Record<string, Verifiers>>>> = {
  liveness: {
    balanced: { liveness: { type: 'Verification', challengeType: 'Balanced', allowAlternative: true } },
    advanced: { liveness: { type: 'Verification', challengeType: 'Advanced', allowAlternative: true } },
    off: { liveness: { type: 'Disabled' } },
  },
  age: {
    estimate: { age: { type: 'CalculationOnly' } },
    adult: { age: { type: 'ThresholdVerification', thresholdConfig: fromEighteen } },
    off: { age: { type: 'Disabled' } },
  },
  face: {
    remember: { faceRecognition: { type: 'CalculationOnly' } },
    once: { faceRecognition: { type: 'DuplicateVerification' } },
    off: { faceRecognition: { type: 'Disabled' } },
  },
}

/** The choices that a pack's networks allow. Each choice's first option is the default. */
export function choicesOf(pack: Pack): Choice[] {
  const isThere = ({ verifiers }: Option) => faultsOfPack(pack, verifiers, '').length === 0
  return Object.entries(choiceWording).map(([name, { label, options }]) => ({
    name,
    label,
    options: Object.entries(options)
      .map(([value, words]) => ({
        value,
        label: words,
        verifiers: verifiersBy[name as keyof typeof choiceWording][value]!,
      }))
      .filter(isThere),
  }))
}

/** Each choice's selected option in a query. Unknown values select the default. */
export function chosen(offered: readonly Choice[], query: ReadonlyMap<string, string>): readonly Option[] {
  return offered.map(
    ({ name, options }) => options.find(({ value }) => value === query.get(name)) ?? options[0]!,
  )
}

/** The chosen checks' configuration. It returns all data, so that the demo can explain it. */
export function configOf(options: readonly Option[], resultAddress: string): VerificationConfig {
  return {
    verifierConfigs: Object.assign({}, ...options.map(({ verifiers }) => verifiers)),
    redirectConfig: { passedUrl: resultAddress, failedUrl: resultAddress },
    resultParameterConfig: Object.fromEntries(resultFlags.map((flag) => [flag, true])),
    securityConfig: { forceSignedInput: true },
  }
}
