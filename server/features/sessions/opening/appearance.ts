import { plannedBy } from '#models/rules/challenge/plan.ts'
import { type Account, environmentOf } from '#server/features/callers/callers.ts'
import type { SessionSettings } from '#server/features/links/links.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { nameForVisitors } from '#shared/contract/account/display-name.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Theme } from '#shared/contract/sessions/theme.ts'
import type { Region } from '#shared/hosts.ts'

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

/** What the page is to capture. */
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

/** What a page of an account captures by these settings where there is no session yet: another way is for whoever came by a link. */
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

/** How the pages of an account look; nothing but name, colour and logo where it says nothing. */
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
