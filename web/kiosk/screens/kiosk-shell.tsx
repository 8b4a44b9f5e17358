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

/** The screens from which staff get into their menu. */
const forStaff: ReadonlySet<KioskState['name']> = new Set<KioskState['name']>([
  'attract',
  'installing',
  'closed',
])

/** The frame of the kiosk's own screens: the mark, the way in for staff, and how the queue and the network stand. */
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

/** The kiosk's own screens are read from further away than a visit's: what is measured in `rem` grows with the root. */
function useSizeFromAfar(): void {
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    classList.add('seen-from-afar')
    return () => classList.remove('seen-from-afar')
  }, [])
}

/** What tests may want to know besides the state's name. */
function detailOf(state: KioskState): Record<string, string> {
  if (state.name === 'answer') return { 'data-answer': state.answer }
  return state.name === 'closed' ? { 'data-cause': state.cause } : {}
}

/** Whether there is a network, and what waits for one. */
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
