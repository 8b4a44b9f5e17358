import * as v from 'valibot'
import {
  alternativeOf,
  historyOf,
  keepsOf,
  plannedBy,
  privacyOf,
  triesOf,
} from '#models/rules/challenge/plan.ts'
import { nameForVisitors } from '#shared/contract/account/display-name.ts'
import {
  type VerificationConfig,
  verificationConfig,
} from '#shared/contract/configuration/verification-config.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Theme } from '#shared/contract/sessions/theme.ts'
import type { Account } from '#web/console/core/account.ts'
import type { PreviewedCheck } from '#web/preview/preview-messages.ts'

/** The properties of a visit that depend on the configuration. */
export type Check = Pick<PreviewedCheck, 'plan' | 'tries' | 'passedUrl' | 'failedUrl'>

/** The visit that results from a configuration; undefined if the server would reject the configuration. */
export function checkOf(
  config: VerificationConfig,
  theme: Theme,
  environment: Environment,
): Check | undefined {
  if (!v.is(verificationConfig, config)) return undefined
  const plan: CapturePlan = {
    ...plannedBy(config.verifierConfigs ?? {}),
    ...alternativeOf(config),
    ...privacyOf(config),
    ...historyOf(config),
    ...(environment === 'live' && keepsOf(config)),
    ...(environment === 'test' && { test: { outcome: null } }),
    locale: null,
    theme,
    embedOrigins: [],
  }
  const { passedUrl = null, failedUrl = null } = config.redirectConfig ?? {}
  return { plan, tries: triesOf(config), passedUrl, failedUrl }
}

/** The theme for an account's pages. */
export function themeOfAccount(account: Account, region: string): Theme {
  const { accent, ...look } = account.theme
  const said = Object.entries({ supportUrl: account.supportUrl, ...look }).filter(
    ([, value]) => value !== null,
  )
  return {
    accountName: nameForVisitors(account),
    accentColour: accent,
    logo: account.logo,
    region,
    ...Object.fromEntries(said),
  }
}
