import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { themes } from '#web/console/core/preferences.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { CheckField, SelectField } from '#web/console/ui/field.tsx'
import { languageNames } from '#web/console/wording/console-languages.ts'

/** The signed-in person's menu: identity, theme, language and sign-out. */
export function YouMenu() {
  const { words } = useConsole()
  const { name } = useMe()
  const [isOpen, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => !element.current?.contains(event.target as Node) && setOpen(false)
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('keydown', close)
    }
  }, [isOpen])
  return (
    <div class="you" ref={element}>
      <button
        ref={button}
        type="button"
        class="press"
        aria-expanded={isOpen}
        aria-controls="you"
        onClick={() => setOpen(!isOpen)}
      >
        <span class="heard">{words.value.shell.you}: </span>
        <bdi>{name}</bdi>
      </button>
      {isOpen && <Choices />}
    </div>
  )
}

function Choices() {
  const { words, membership, preferences, prefer } = useConsole()
  const { name, role, accounts, accountId } = useMe()
  const doing = useDoing()
  const { shell, theme } = words.value
  const account = accounts.find((one) => one.accountId === accountId)
  return (
    <div id="you" class="choices">
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <br />
        <span class="small">
          {words.value.role[role]} · <bdi>{account?.name}</bdi>
        </span>
      </p>
      <SelectField
        label={shell.theme}
        value={preferences.value.theme}
        options={themes.map((one) => [one, theme[one]] as const)}
        onChange={(chosen) => prefer({ theme: chosen })}
      />
      <SelectField
        label={shell.language}
        value={preferences.value.language ?? ''}
        options={[['', shell.browserLanguage] as const, ...Object.entries(languageNames)]}
        onChange={(language) => prefer({ language: language === '' ? null : language })}
      />
      <CheckField
        label={shell.shortcuts}
        checked={preferences.value.hasShortcuts}
        onChange={(hasShortcuts) => prefer({ hasShortcuts })}
      />
      <Button isBusy={doing.isBusy} onPress={() => doing.run(() => membership.signOut())}>
        {shell.signOut}
      </Button>
    </div>
  )
}
