import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { KioskState } from '#web/kiosk/core/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { count } from '#web/wording/fill.ts'
import { HomeScreenNote } from './home-screen-note.tsx'
import type { KioskProps } from './kiosk-props.ts'

interface KioskShellProps extends KioskProps {
  readonly children: ComponentChildren
}

/** Screens from which staff can open their menu. */
const forStaff: ReadonlySet<KioskState['name']> = new Set<KioskState['name']>([
  'attract',
  'installing',
  'closed',
])

/** The frame around kiosk screens: the logo, the staff button, and the state of the queue and network. */
export function KioskShell({ state, words, kiosk, send, children }: KioskShellProps) {
  const isOpen = forStaff.has(state.name)
  useSizeFromAfar()
  return (
    <div class="shell kiosk" data-state={state.name} {...detailOf(state)}>
      <header class="header">
        <Mark plan={kiosk.settings.value?.capturePlan ?? null} />
        {isOpen && (
          <Button kind="quiet" onPress={() => send({ type: 'staff' })}>
            {words.kiosk.button.staff}
          </Button>
        )}
      </header>
      {kiosk.settings.value?.capturePlan.test !== undefined && (
        <div class="notices">
          <aside class="banner testing">
            <p>{words.page.text.testMode}</p>
          </aside>
        </div>
      )}
      {children}
      {isOpen && <Standing words={words} kiosk={kiosk} />}
    </div>
  )
}

/** People read a kiosk from further away, so its root font size is larger, which scales everything in `rem`. */
function useSizeFromAfar(): void {
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    classList.add('seen-from-afar')
    return () => classList.remove('seen-from-afar')
  }, [])
}

/** Additional data attributes for tests. */
function detailOf(state: KioskState): Record<string, string> {
  if (state.name === 'answer') return { 'data-answer': state.answer }
  return state.name === 'closed' ? { 'data-cause': state.cause } : {}
}

/** Shows the network state and how many captures are waiting. */
function Standing({ words, kiosk }: Pick<KioskProps, 'words' | 'kiosk'>) {
  const { text, waiting: waitingWords, locale } = words.kiosk
  const { waiting } = kiosk.queue.value
  const online = kiosk.online.value
  return (
    <footer class="standing">
      <p class="fact-line" data-online={online}>
        <Icon name={online ? 'tick' : 'cloud'} />
        {online ? text.online : text.offline}
      </p>
      {waiting > 0 && (
        <p class="fact-line" data-waiting={waiting}>
          <Icon name="clock" />
          {count(locale, waitingWords, waiting)}
        </p>
      )}
      <HomeScreenNote words={words} />
    </footer>
  )
}
