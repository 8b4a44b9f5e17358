import { timeLimitInSeconds } from '#models/rules/challenge/progress.ts'
import type { Rules } from '#models/rules/verdict.ts'
import type { Account, KioskRecord } from '#server/features/callers/callers.ts'
import { type ConfiguredVerification, settingsOf } from '#server/features/links/links.ts'
import { capturePlanAhead, rulesOf } from '#server/features/sessions/sessions.ts'
import type { KioskConfiguration } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Region } from '#shared/hosts.ts'

/** The configuration that a kiosk needs to work offline. Pure. */
export function configurationOf(
  { name, locale, verificationId }: KioskRecord,
  account: Account,
  configured: ConfiguredVerification,
  region: Region,
): KioskConfiguration {
  const settings = settingsOf(configured, new Map())
  const rules = rulesOf(settings)
  const { liveness, emotion } = settings.verifiers
  const texts = configured.verificationConfig?.kioskConfig?.outcomeTexts
  return {
    name,
    locale,
    verificationId,
    capturePlan: capturePlanAhead(account, settings, locale, region),
    ageRule: ageRuleOf(rules.age),
    emotionPurpose: rules.emotion ? (emotion?.purpose ?? null) : null,
    failOnMultipleFaces: rules.failOnMultipleFaces,
    allowAlternative: liveness?.allowAlternative ?? false,
    allowPassive: liveness?.allowPassiveOffline ?? false,
    ...(texts !== undefined && { outcomeTexts: texts }),
    stepTimeLimitInSeconds: timeLimitInSeconds,
  }
}

function ageRuleOf(age: Rules['age']): KioskConfiguration['ageRule'] {
  return age.type === 'ThresholdVerification' || age.type === 'RangeVerification' ? { ...age } : null
}
