import { useConsole } from '#web/console/core/console-context.ts'
import { PageHead } from '#web/console/ui/pieces.tsx'
import { Tabs } from '#web/console/ui/tabs.tsx'
import { UnknownPage } from '#web/console/ui/unknown-page.tsx'
import { AccountSettings } from './account-settings.tsx'
import { AuditLog } from './audit-log.tsx'
import { Devices } from './devices.tsx'
import { Passkeys } from './passkeys.tsx'
import { People } from './people.tsx'

const tabs = {
  account: AccountSettings,
  people: People,
  audit: AuditLog,
  passkeys: Passkeys,
  devices: Devices,
} as const
type Tab = keyof typeof tabs

/** Settings: the account, its people and the audit log. */
export function SettingsPage({ tab }: { tab: string | undefined }) {
  const { words } = useConsole()
  const { page, settings } = words.value
  const chosen = (tab ?? 'account') as Tab
  if (!Object.hasOwn(tabs, chosen)) return <UnknownPage />
  const Part = tabs[chosen]
  return (
    <>
      <PageHead title={page.settings} />
      <Tabs
        label={page.settings}
        page="settings"
        chosen={chosen}
        tabs={(Object.keys(tabs) as Tab[]).map((name) => [name, settings.tabs[name]] as const)}
      />
      <Part />
    </>
  )
}
