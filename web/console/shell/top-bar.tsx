import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { environments } from '#shared/contract/environment.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { beginningOf, type Filters, isSessionId } from '#web/console/sessions/filters.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { SelectField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Key } from '#web/console/ui/pieces.tsx'
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
      <Search field={search} />
      <EnvironmentSwitch />
      <Button kind="quiet" onPress={onHelp} label={keys.title}>
        ?
      </Button>
      <YouMenu />
    </header>
  )
}

/** Finds a session by its full or partial id, or sessions by external or correlation id. */
function Search({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const { words, navigation, calls } = useConsole()
  const [sought, setSought] = useState('')
  const { shell } = words.value
  const hasSessions = async (filter: Filters) => {
    const found = await calls.configuration.getSessions({ ...filter, limit: 1 }).catch(() => undefined)
    return (found?.sessions.length ?? 0) > 0
  }
  const find = async () => {
    const text = sought.trim()
    if (text === '') return
    if (isSessionId(text)) return navigation.go({ page: 'sessions', parts: [text] })
    const idBeginsWith = beginningOf(text)
    if (idBeginsWith !== '' && (await hasSessions({ idBeginsWith })))
      return navigation.go({ page: 'sessions', query: { idBeginsWith } })
    const name = (await hasSessions({ correlationId: text })) ? 'correlationId' : 'externalId'
    navigation.go({ page: 'sessions', query: { [name]: text } })
  }
  return (
    <Form class="search" onSubmit={find}>
      <input
        ref={field}
        type="search"
        aria-label={shell.search}
        placeholder={shell.searchHint}
        value={sought}
        onInput={(event) => setSought(event.currentTarget.value)}
      />
      <Key name="/" />
    </Form>
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
