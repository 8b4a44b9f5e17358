import type { LiveView } from '#web/capture/analysis/tracker.ts'
import { Button } from '#web/ui/button.tsx'
import type { ScreenProps } from './screen-props.ts'

interface CameraChoiceProps extends Pick<ScreenProps, 'wording' | 'send'> {
  readonly view: LiveView
  /** Offers the next camera also where the browser does not tell whether there is one. */
  readonly always?: boolean
}

/** The way to another camera: the next one, or one by its name where the browser tells names. */
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
