import { useEffect, useState } from 'preact/hooks'
import type { ChoosableCamera } from '#web/kiosk/core/camera-choice.ts'
import type { KioskStateOf } from '#web/kiosk/core/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Page } from '#web/ui/page.tsx'
import { count, fill } from '#web/wording/fill.ts'
import { sizeOf } from '#web/wording/units.ts'
import { hourOf, lengthOf } from './figures.ts'
import { kioskHeadingOf } from './kiosk-heading.ts'
import type { KioskProps } from './kiosk-props.ts'
import { StaffWays } from './staff-screens.tsx'

/** Shows how many captures are waiting or were rejected. It contains no names, because captures cannot be read here. */
export function QueueScreen(props: KioskProps<KioskStateOf<'queue'>>) {
  const { state, words, kiosk, send } = props
  const { text, button, waiting, setAside, pairingTrouble, locale } = words.kiosk
  const queue = kiosk.queue.value
  const sent =
    queue.lastSentAt === null
      ? text.nothingSent
      : fill(text.lastSent, { time: hourOf(queue.lastSentAt, locale) })
  return (
    <Page
      screen="queue"
      icon="cloud"
      tone={queue.sending ? 'busy' : 'plain'}
      title={kioskHeadingOf(state, words)}
      actions={
        <>
          <Button kind="primary" busy={state.busy} onPress={() => send({ type: 'sync' })}>
            {queue.sending ? text.sending : button.sendNow}
          </Button>
          {queue.setAside > 0 && (
            <Button busy={state.busy} onPress={() => send({ type: 'retry' })}>
              {button.retry}
            </Button>
          )}
          <StaffWays words={words} send={send} />
        </>
      }
    >
      <ul class="rows">
        <li>{count(locale, waiting, queue.waiting)}</li>
        <li>{count(locale, setAside, queue.setAside)}</li>
        <li>{sent}</li>
        <li>{kiosk.online.value ? text.online : pairingTrouble.unreachable}</li>
      </ul>
    </Page>
  )
}

/** Shows how much storage is available, and whether it is persistent. */
export function StorageScreen({ state, words, kiosk, send }: KioskProps<KioskStateOf<'storage'>>) {
  const { text, locale } = words.kiosk
  const { usedBytes, quotaBytes, isPersisted } = kiosk.storage.value
  const { offsetInSeconds, isFlagged } = kiosk.drift.value
  const used = { used: sizeOf(usedBytes, locale, 'long'), quota: sizeOf(quotaBytes, locale, 'long') }
  return (
    <Page
      screen="storage"
      icon="phone"
      title={kioskHeadingOf(state, words)}
      actions={<StaffWays words={words} send={send} />}
    >
      <ul class="rows">
        <li>{fill(text.used, used)}</li>
        <li>{isPersisted ? text.persisted : text.notPersisted}</li>
        {isFlagged && <li>{fill(text.clock, { time: lengthOf(offsetInSeconds, locale) })}</li>}
      </ul>
    </Page>
  )
}

/** Recent errors, newest first. */
export function ErrorsScreen({ state, words, kiosk, send }: KioskProps<KioskStateOf<'errors'>>) {
  const { text, error, locale } = words.kiosk
  const errors = kiosk.errors.value
  return (
    <Page
      screen="errors"
      icon="guide"
      title={kioskHeadingOf(state, words)}
      actions={<StaffWays words={words} send={send} />}
    >
      {errors.length === 0 && <p class="lead">{text.noErrors}</p>}
      <ul class="rows">
        {errors.map(({ at, kind }) => (
          <li key={`${at} ${kind}`}>
            <span>{error[kind]}</span>
            <span class="muted">{hourOf(at, locale)}</span>
          </li>
        ))}
      </ul>
    </Page>
  )
}

/** Selects the camera for the next check. */
export function CameraScreen({ state, words, send, cameras }: KioskProps<KioskStateOf<'camera'>>) {
  const { text } = words.kiosk
  const [known, setKnown] = useState<readonly ChoosableCamera[]>([])
  const [chosen, setChosen] = useState(cameras.chosen())
  useEffect(() => {
    cameras.list().then(setKnown, () => {}) // without a list, the browser keeps choosing
  }, [cameras])
  const choose = (deviceId: string | null) => {
    cameras.choose(deviceId)
    setChosen(deviceId)
  }
  const offered = [{ deviceId: null, label: text.anyCamera }, ...known]
  return (
    <Page
      screen="camera"
      icon="camera"
      title={kioskHeadingOf(state, words)}
      actions={<StaffWays words={words} send={send} />}
    >
      <p class="lead">{text.camera}</p>
      <div class="sections">
        {offered.map(({ deviceId, label }, index) => (
          <button
            key={deviceId}
            type="button"
            class="button secondary choice"
            aria-pressed={deviceId === chosen}
            onClick={() => choose(deviceId)}
          >
            {deviceId === chosen && <Icon name="tick" />}
            <bdi>{label || `${words.kiosk.title.camera} ${index}`}</bdi>
          </button>
        ))}
      </div>
    </Page>
  )
}
