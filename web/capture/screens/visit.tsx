import type { ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Speech } from '#web/ui/speech.ts'
import type { Wording } from '#web/wording/wording.ts'
import { alarmOf, saidOf } from './said.ts'
import { Screen } from './screen.tsx'
import type { VisitOnScreen } from './screen-props.ts'
import { Shell } from './shell.tsx'

export interface VisitProps {
  readonly flow: VisitOnScreen
  readonly wording: ReadonlySignal<Wording>
  readonly speech: Speech
}

/** The current screen in its frame. Announcements go to live regions that outlive the screen. */
export function Visit({ flow, wording, speech }: VisitProps) {
  const { state, context } = flow.situation.value
  const words = wording.value
  const said = saidOf({ state, context }, words)
  const alarm = alarmOf({ state, context }, words)
  useEffect(() => {
    if (said !== undefined) speech.say(said)
  }, [said, speech])
  useEffect(() => {
    if (alarm !== undefined) speech.interrupt(alarm)
  }, [alarm, speech])
  useEffect(() => {
    if (context.nearDeadline) speech.say(words.text.nearDeadline)
  }, [context.nearDeadline, words, speech])
  return (
    <Shell state={state} context={context} wording={words} send={flow.send}>
      <Screen {...{ state, context, flow }} wording={words} />
    </Shell>
  )
}
