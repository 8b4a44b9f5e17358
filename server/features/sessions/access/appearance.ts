import { plannedBy } from '#models/rules/challenge/plan.ts'
import { type Account, environmentOf } from '#server/features/callers/callers.ts'
import type { SessionSettings } from '#server/features/links/links.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { nameForVisitors } from '#shared/contract/account/display-name.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Theme } from '#shared/contract/sessions/theme.ts'
import type { Region } from '#shared/hosts.ts'

/** The data that determines a page's look and what it captures. */
type Appearance = Pick<
  SessionRecord,
  'accountName' | 'accentColour' | 'logo' | 'appearance' | 'embedOrigins' | 'settings' | 'passkey' | 'test'
> & {
  readonly inputs: Pick<SessionRecord['inputs'], 'locale'>
}

/** The look of an account's pages and its support address. */
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
  return { accountName, accentColour, logo, region, ...(Object.fromEntries(said) as ThemeExtras) }
}

type ThemeExtras = Pick<Theme, 'supportUrl' | 'radius' | 'font' | 'mode'>

/** The page's capture plan. */
export function capturePlanOf(record: Appearance, region: Region): CapturePlan {
  return {
    ...plannedBy(record.settings.verifiers),
    locale: record.inputs.locale,
    ...(record.settings.alternative && { alternative: record.settings.alternative }),
    ...(record.settings.privacy && { privacy: record.settings.privacy }),
    ...(record.settings.history && { history: record.settings.history }),
    ...(record.settings.keeps && record.test === undefined && { keeps: record.settings.keeps }),
    ...(record.passkey?.isBound ? { passkey: true } : {}),
    ...(record.test && { test: { outcome: record.test.outcome?.result ?? null } }),
    theme: themeOf(record, region),
    embedOrigins: [...record.embedOrigins],
  }
}

/** The capture plan for these settings before a session exists. The alternative is offered only for links. */
export function capturePlanAhead(
  account: Account,
  settings: SessionSettings,
  locale: string | null,
  region: Region,
): CapturePlan {
  const appearance = {
    ...brandingOf(account),
    ...(environmentOf(account) === 'test' && { test: { outcome: null } }),
    embedOrigins: [],
    settings: { ...settings, alternative: null },
    inputs: { locale },
  }
  return capturePlanOf(appearance, region)
}

/** An account's page branding; just the name, colour and logo if nothing else is set. */
export function brandingOf(
  account: Account,
): Pick<SessionRecord, 'accountName' | 'accentColour' | 'logo' | 'appearance'> {
  const { accentColour, logo = null, supportUrl = null, look } = account
  const said = supportUrl !== null || look !== undefined
  return {
    accountName: nameForVisitors(account),
    accentColour,
    logo,
    ...(said && { appearance: { supportUrl, look: look ?? null } }),
  }
}
