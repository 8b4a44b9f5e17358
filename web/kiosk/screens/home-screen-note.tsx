import { belongsOnHomeScreen } from '#web/kiosk/core/home-screen.ts'
import { Icon } from '#web/ui/icon.tsx'
import type { KioskProps } from './kiosk-props.ts'

/** Advice for devices that would clear an unused kiosk's storage. */
export function HomeScreenNote({ words }: Pick<KioskProps, 'words'>) {
  if (!belongsOnHomeScreen(window)) return null
  return (
    <p class="fact-line" data-home-screen>
      <Icon name="phone" />
      <span>{words.kiosk.text.homeScreen}</span>
    </p>
  )
}
