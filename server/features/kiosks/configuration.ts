import { timeLimitInSeconds } from '#models/rules/challenge/progress.ts'
import type { Rules } from '#models/rules/verdict.ts'
import { type Account, environmentOf, type KioskRecord } from '#server/features/callers/callers.ts'
import { type Configured, settingsOf } from '#server/features/links/links.ts'
import { capturePlanOf, rulesOf } from '#server/features/sessions/judging/rules.ts'
import { brandingOf } from '#server/features/sessions/opening/start.ts'
import type { KioskConfiguration } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Region } from '#shared/hosts.ts'

/** What a kiosk needs to know in order to work on its own. Pure. */
export function configurationOf(
  { name, locale, verificationId }: KioskRecord,
  account: Account,
  configured: Configured,
  region: Region,
): KioskConfiguration {
  const settings = settingsOf(configured, new Map())
  const rules = rulesOf(settings)
  const { liveness, emotion } = settings.verifiers
  const appearance = {
    ...brandingOf(account),
    ...(environmentOf(account) === 'test' && { test: { outcome: null } }),
    embedOrigins: [],
    // Another way is for whoever came by a link of their own.
    settings: { ...settings, alternative: null },
    inputs: { locale },
  }
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
