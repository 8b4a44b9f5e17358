import { Icon } from '#web/ui/icon.tsx'
import { count } from '#web/wording/fill.ts'
import { HomeScreenNote } from './home-screen-note.tsx'
import type { KioskProps } from './kiosk-props.ts'

/** The first things that staff need to know: the network, how many captures are waiting, and advice for devices that clear an unused kiosk. */
export function Standing({ words, kiosk }: Pick<KioskProps, 'words' | 'kiosk'>) {
  const { text, waiting: waitingWords, locale } = words.kiosk
  const { waiting } = kiosk.queue.value
  const online = kiosk.online.value
  return (
    <div class="standing">
      <p class="fact-line">
        <Icon name={online ? 'tick' : 'cloud'} />
        {online ? text.online : text.offline}
      </p>
      {waiting > 0 && (
        <p class="fact-line">
          <Icon name="clock" />
          {count(locale, waitingWords, waiting)}
        </p>
      )}
      <HomeScreenNote words={words} />
    </div>
  )
}
