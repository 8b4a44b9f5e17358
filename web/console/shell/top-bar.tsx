import type { RefObject } from 'preact'
import { environments } from '#shared/contract/environment.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { SelectField } from '#web/console/ui/field.tsx'
import { SearchField } from './search-field.tsx'
import { useSwitch } from './use-switch.ts'
import { YouMenu } from './you-menu.tsx'

interface TopBarProps {
  readonly search: RefObject<HTMLInputElement | null>
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
  readonly onHelp: () => void
}

/** The search field, the account and environment switches, and the signed-in person's menu. */
export function TopBar({ search, isMenuOpen, onMenu, onHelp }: TopBarProps) {
  const { words } = useConsole()
  const { shell, keys } = words.value
  return (
    <header class="top">
      <button
        type="button"
        class="press menu-button"
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onClick={onMenu}
      >
        {shell.menu}
      </button>
      <SearchField field={search} />
      <EnvironmentSwitch />
      <Button kind="quiet" onPress={onHelp} label={keys.title}>
        ?
      </Button>
      <YouMenu />
    </header>
  )
}

/** Switches between live and test data, and between accounts if the person has several. */
function EnvironmentSwitch() {
  const { words } = useConsole()
  const { environment, accounts, accountId } = useMe()
  const switchTo = useSwitch()
  const { shell } = words.value
  return (
    <div class="data-switch">
      {accounts.length > 1 && (
        <SelectField
          label={shell.account}
          value={accountId}
          options={accounts.map(({ accountId: id, name }) => [id, name] as const)}
          onChange={(id) => switchTo({ accountId: id })}
        />
      )}
      <fieldset class="segments" aria-label={shell.environment}>
        {environments.map((one) => (
          <Button key={one} pressed={one === environment} onPress={() => switchTo({ environment: one })}>
            {words.value.environment[one]}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}
