import type { Wanted } from '#models/rules/analysis.ts'
import { plannedBy } from '#models/rules/challenge/plan.ts'
import { actionCounts } from '#models/rules/challenge/progress.ts'
import { firstPolicyVersion } from '#models/rules/liveness/policy.ts'
import type { Rules } from '#models/rules/verdict.ts'
import type { SessionSettings } from '#server/features/links/links.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { Action, CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Theme } from '#shared/contract/sessions/theme.ts'
import type { Region } from '#shared/hosts.ts'

/** The rules that the verdict follows, from a session's settings. */
export function rulesOf(settings: SessionSettings): Rules {
  const { verifiers, madeUnder = firstPolicyVersion, writtenUnder = madeUnder } = settings
  const liveness = verifiers.liveness?.type === 'Verification'
  return {
    liveness,
    challengeActionCount: liveness ? actionCounts[verifiers.liveness?.challengeType ?? 'Balanced'] : 0,
    failOnMultipleFaces: verifiers.commonSettings?.failOnMultipleFacesDetected ?? false,
    age: ageRule(verifiers.age),
    gender: verifiers.gender?.type === 'CalculationOnly',
    faceRecognition: faceRecognitionOf(verifiers) !== 'Disabled',
    emotion: verifiers.emotion?.type === 'CalculationOnly',
    leastAssurance: verifiers.liveness?.leastAssurance ?? 'low',
    policy: { kind: verifiers.liveness?.livenessPolicy ?? 'enforce', since: madeUnder, writtenUnder },
    evidence: verifiers.liveness?.evidence ?? 'required',
  }
}

export function faceRecognitionOf(verifiers: SessionSettings['verifiers']) {
  return verifiers.faceRecognition?.type ?? 'Disabled'
}

function ageRule(age: SessionSettings['verifiers']['age']): Rules['age'] {
  switch (age?.type) {
    case 'ThresholdVerification': {
      const { threshold, direction, marginInYears } = age.thresholdConfig ?? {}
      if (!isSet(threshold) || !isSet(direction)) throw limitMissing()
      return { type: age.type, threshold, direction, marginInYears: marginInYears ?? 0 }
    }
    case 'RangeVerification': {
      const { minimum, maximum } = age.rangeConfig ?? {}
      if (!isSet(minimum) || !isSet(maximum)) throw limitMissing()
      return { type: age.type, minimum, maximum }
    }
    default:
      return { type: age?.type ?? 'Disabled' }
  }
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}

/** No configuration is taken without its limits: should one turn up, nobody passes it. */
function limitMissing(): Error {
  return new Error('An age verification lacks what it compares with')
}

/** The stages that the server needs on each frame of such a session; no network runs in vain. */
export function wantedOf(rules: Rules, actions: readonly Action[]): Wanted {
  const acted = (action: Action) => rules.liveness && actions.includes(action)
  return {
    ...(rules.liveness ? { liveness: 'full' as const } : {}),
    embedding: rules.liveness || rules.faceRecognition,
    ...(rules.gender || rules.age.type !== 'Disabled' ? { demographic: 'full' as const } : {}),
    ...(rules.emotion || acted('smile') ? { expression: 'full' as const } : {}),
    eyes: acted('blink'),
    sceneSignature: rules.liveness,
    surface: rules.liveness,
  }
}

/** What a page is to look like and to capture. */
type Appearance = Pick<
  SessionRecord,
  'accountName' | 'accentColour' | 'logo' | 'appearance' | 'embedOrigins' | 'settings' | 'passkey' | 'test'
> & {
  readonly inputs: Pick<SessionRecord['inputs'], 'locale'>
}

/** How the pages of an account look, and where they send to. */
export function themeOf(
  {
    accountName,
    accentColour,
    logo = null,
    appearance,
  }: Omit<Appearance, 'embedOrigins' | 'settings' | 'inputs'>,
  region: Region,
): Theme {
  const { supportUrl = null, look = null } = appearance ?? {}
  const said = Object.entries({ supportUrl, ...look }).filter(([, value]) => value !== null)
  return { accountName, accentColour, logo, region, ...(Object.fromEntries(said) as Said) }
}

type Said = Pick<Theme, 'supportUrl' | 'radius' | 'font' | 'mode'>

/** What the page is told to capture. */
export function capturePlanOf(record: Appearance, region: Region): CapturePlan {
  return {
    ...plannedBy(record.settings.verifiers),
    locale: record.inputs.locale,
    ...(record.settings.alternative && { alternative: record.settings.alternative }),
    ...(record.settings.privacy && { privacy: record.settings.privacy }),
    ...(record.settings.history && { history: record.settings.history }),
    ...(record.passkey?.isBound ? { passkey: true } : {}),
    ...(record.test && { test: { outcome: record.test.outcome?.result ?? null } }),
    theme: themeOf(record, region),
    embedOrigins: [...record.embedOrigins],
  }
}
