import { mayOfferHandoff } from '#web/capture/machine/handoff.ts'
import { Button, type ButtonKind } from '#web/ui/button.tsx'
import { isHandheld } from '#web/ui/handheld.ts'
import type { ScreenProps } from './screen-props.ts'

interface PhoneButtonProps extends Pick<ScreenProps, 'context' | 'wording' | 'send'> {
  readonly kind: ButtonKind
}

/** Button to continue on another device. Hidden on phones, and if the session can no longer move. */
export function PhoneButton({ kind, context, wording, send }: PhoneButtonProps) {
  if (isHandheld() || !mayOfferHandoff(context)) return null
  return (
    <Button kind={kind} onPress={() => send({ type: 'usePhone' })}>
      {wording.button.usePhone}
    </Button>
  )
}
