import type { Pack } from '#models/rules/packs.ts'
import { faultsOfPack } from '#server/features/packs/packs.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { resultFlags } from '#shared/contract/configuration/verification-config.ts'

type Verifiers = NonNullable<VerificationConfig['verifierConfigs']>

interface Option {
  readonly value: string
  readonly label: string
  readonly verifiers: Verifiers
}

export interface Choice {
  readonly name: string
  readonly label: string
  readonly options: readonly Option[]
}

/** What a visitor of the demo may choose where there is a network for it. */
const choices: readonly Choice[] = [
  {
    name: 'liveness',
    label: 'Is this a live person?',
    options: [
      {
        value: 'balanced',
        label: 'Balanced: one action',
        verifiers: { liveness: { type: 'Verification', challengeType: 'Balanced', allowAlternative: true } },
      },
      {
        value: 'advanced',
        label: 'Advanced: three actions',
        verifiers: { liveness: { type: 'Verification', challengeType: 'Advanced', allowAlternative: true } },
      },
      { value: 'off', label: 'Do not check', verifiers: { liveness: { type: 'Disabled' } } },
    ],
  },
  {
    name: 'age',
    label: 'How old are they?',
    options: [
      { value: 'estimate', label: 'Estimate the age', verifiers: { age: { type: 'CalculationOnly' } } },
      {
        value: 'adult',
        label: 'Pass from 18 years',
        verifiers: {
          age: { type: 'ThresholdVerification', thresholdConfig: { threshold: 18, direction: 'Above' } },
        },
      },
      { value: 'off', label: 'Do not ask', verifiers: { age: { type: 'Disabled' } } },
    ],
  },
  {
    name: 'face',
    label: 'Have we seen this face before?',
    options: [
      {
        value: 'remember',
        label: 'Remember and recognise it',
        verifiers: { faceRecognition: { type: 'CalculationOnly' } },
      },
      {
        value: 'once',
        label: 'Refuse a face seen before',
        verifiers: { faceRecognition: { type: 'DuplicateVerification' } },
      },
      { value: 'off', label: 'Do not ask', verifiers: { faceRecognition: { type: 'Disabled' } } },
    ],
  },
]

/** The choices that a pack leaves; the first option of each is taken by default. */
export function choicesOf(pack: Pack): Choice[] {
  const isThere = ({ verifiers }: Option) => faultsOfPack(pack, verifiers, '').length === 0
  return choices.map((choice) => ({ ...choice, options: choice.options.filter(isThere) }))
}

/** The options that a query chooses; whatever is unknown becomes the default. */
export function chosen(
  offered: readonly Choice[],
  query: ReadonlyMap<string, string>,
): ReadonlyMap<Choice, Option> {
  return new Map(
    offered.map((choice) => {
      const option = choice.options.find(({ value }) => value === query.get(choice.name))
      return [choice, option ?? choice.options[0]!] as const
    }),
  )
}

/** The configuration of the chosen checks. Everything comes back, so that the demo can explain it. */
export function configOf(options: ReadonlyMap<Choice, Option>, resultAddress: string): VerificationConfig {
  const verifierConfigs = Object.assign(
    {},
    ...[...options.values()].map(({ verifiers }) => verifiers),
  ) as Verifiers
  return {
    verifierConfigs,
    redirectConfig: { passedUrl: resultAddress, failedUrl: resultAddress },
    resultParameterConfig: Object.fromEntries(resultFlags.map((flag) => [flag, true])),
    securityConfig: { forceSignedInput: true },
  }
}
