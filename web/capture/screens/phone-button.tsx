import type { LiveView } from '#web/capture/analysis/tracker.ts'
import { mayOfferHandoff } from '#web/capture/machine/handoff.ts'
import { Button, type ButtonKind } from '#web/ui/button.tsx'
import { isHandheld } from '#web/ui/handheld.ts'
import type { ScreenProps } from './screen-props.ts'

interface PhoneButtonProps extends Pick<ScreenProps, 'context' | 'wording' | 'send'> {
  readonly kind: ButtonKind
}

/** A button for continuing on another device. It is hidden on phones, and when the session can no longer move. */
export function PhoneButton({ kind, context, wording, send }: PhoneButtonProps) {
  if (isHandheld() || !mayOfferHandoff(context)) return null
  return (
    <Button kind={kind} onPress={() => send({ type: 'usePhone' })}>
      {wording.button.usePhone}
    </Button>
  )
}

interface CameraChoiceProps extends Pick<ScreenProps, 'wording' | 'send'> {
  readonly view: LiveView
  /** Offers the next camera even if the browser lists none. */
  readonly always?: boolean
}

/** Lets the person switch to the next camera, or pick one by name if the browser reveals the names. */
export function CameraChoice({ view, wording, send, always = false }: CameraChoiceProps) {
  const cameras = view.cameras.value
  const named = cameras.filter(({ id, label }) => id !== '' && label !== '')
  if (cameras.length === 0 && !always) return null
  return (
    <>
      <Button onPress={() => send({ type: 'otherCamera' })}>{wording.button.otherCamera}</Button>
      {named.length > 1 && (
        <div class="asides">
          {named.map(({ id, label }) => (
            <Button kind="quiet" key={id} onPress={() => send({ type: 'otherCamera', id })}>
              <bdi>{label}</bdi>
            </Button>
          ))}
        </div>
      )}
    </>
  )
}
