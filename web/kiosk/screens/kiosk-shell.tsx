import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { KioskState } from '#web/kiosk/core/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Mark } from '#web/ui/mark.tsx'
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

/** The frame around kiosk screens: the logo and the staff button. What staff want to know is in their menu. */
export function KioskShell({ state, words, kiosk, send, children }: KioskShellProps) {
  const isOpen = forStaff.has(state.name)
  useSizeFromAfar()
  return (
    <div
      class="shell kiosk"
      data-state={state.name}
      data-online={kiosk.online.value}
      data-waiting={kiosk.queue.value.waiting}
      {...detailOf(state)}
    >
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
