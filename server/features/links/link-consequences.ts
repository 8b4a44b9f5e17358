import type { Consequence } from '#shared/consequences.ts'
import type { overrideNames } from './reserved-names.ts'

type OverrideName = (typeof overrideNames)[number] | 'reExternalId'

/** [Note: Every override is weighed] An override without a line here does not compile. */
const found: Readonly<Record<OverrideName, Consequence>> = {
  reExternalId: 'linkForPerson',
  reDisableLivenessVerifier: 'verifiersSkipped',
  reDisableAgeVerifier: 'verifiersSkipped',
  reDisableGenderVerifier: 'verifiersSkipped',
  reDisableFaceRecognitionVerifier: 'verifiersSkipped',
  rePassedUrl: 'returnAddress',
  reFailedUrl: 'returnAddress',
}

/** The consequences of a link signed with the account's key: whom it checks, and how it deviates from its verification. */
export function linkConsequences(names: readonly string[]): readonly Consequence[] {
  const all = names.map((name) =>
    name === 'reIncludeSignature' ? 'resultUnsigned' : found[name as OverrideName],
  )
  return [...new Set(all.filter((one) => one !== undefined))]
}

interface SessionGiven {
  readonly externalId?: unknown
  readonly collectionId?: unknown
  readonly referenceImage?: unknown
  readonly verifierConfigs?: unknown
  readonly verificationId?: unknown
  readonly passedUrl?: unknown
  readonly failedUrl?: unknown
}

/** The same for a session without a link. An ad hoc session has no verification to weaken. */
export function sessionConsequences(given: SessionGiven): readonly Consequence[] {
  const has = (name: keyof SessionGiven) => given[name] !== undefined && given[name] !== null
  const all: readonly (readonly [Consequence, boolean])[] = [
    ['linkForPerson', has('externalId') || has('collectionId') || has('referenceImage')],
    ['verifiersSkipped', has('verifierConfigs') && has('verificationId')],
    ['returnAddress', has('passedUrl') || has('failedUrl')],
  ]
  return all.filter(([, isSo]) => isSo).map(([consequence]) => consequence)
}
