import type { Account } from '#server/accounts/account.ts'
import { settingsOf } from '#server/sessions/link-inputs.ts'
import { timeLimitInSeconds } from '#server/sessions/progress.ts'
import { capturePlanOf, rulesOf } from '#server/sessions/rules.ts'
import type { Rules } from '#server/sessions/verdict.ts'
import type { KioskConfiguration } from '#shared/contract/kiosk-device.ts'
import type { VerificationConfig } from '#shared/contract/verification-config.ts'
import type { Region } from '#shared/hosts.ts'
import type { KioskRecord } from './kiosk-store.ts'

/** What a kiosk needs to know in order to work on its own. Pure. */
export function configurationOf(
  { name, locale, verificationId }: KioskRecord,
  account: Account,
  config: VerificationConfig,
  region: Region,
): KioskConfiguration {
  const settings = settingsOf(config, new Map(), true)
  const rules = rulesOf(settings)
  const { liveness, emotion } = settings.verifiers
  const { name: accountName, accentColour, logo = null } = account
  const appearance = { accountName, accentColour, logo, embedOrigins: [], settings, inputs: { locale } }
  return {
    name,
    locale,
    verificationId,
    capturePlan: capturePlanOf(appearance, region),
    ageRule: ageRuleOf(rules.age),
    emotionPurpose: rules.emotion ? (emotion?.purpose ?? null) : null,
    failOnMultipleFaces: rules.failOnMultipleFaces,
    allowAlternative: liveness?.allowAlternative ?? false,
    allowPassive: liveness?.allowPassiveOffline ?? false,
    stepTimeLimitInSeconds: timeLimitInSeconds,
  }
}

function ageRuleOf(age: Rules['age']): KioskConfiguration['ageRule'] {
  return age.type === 'ThresholdVerification' || age.type === 'RangeVerification' ? { ...age } : null
}
