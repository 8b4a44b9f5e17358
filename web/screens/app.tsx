import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { LiveView } from '../capture/tracker.ts'
import type { Event, Situation } from '../session/state.ts'
import { paintAccent } from '../theme/paint-accent.ts'
import type { Wording } from '../wording/wording.ts'
import { alarmOf, saidOf } from './said.ts'
import { Screen } from './screen.tsx'
import { Shell } from './shell.tsx'
import type { Speech } from './speech.ts'
import { SpeechRegions } from './speech-regions.tsx'

/** What the app shows, whether a flow runs behind it or a preview. */
export interface Shown {
  readonly situation: ReadonlySignal<Situation>
  readonly view: LiveView
  readonly video: HTMLElement
  readonly send: (event: Event) => void
  readonly elsewhere: () => string | null
}

interface AppProps {
  readonly flow: Shown
  readonly wording: ReadonlySignal<Wording>
  readonly speech: Speech
}

/** The page: the screen of the state, its frame, and its voice. */
export function App({ flow, wording, speech }: AppProps) {
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
  // Before the first frame: else the page would be seen from left to right, and in the colour of the house.
  useLayoutEffect(() => {
    document.documentElement.lang = words.locale
    document.documentElement.dir = words.direction
  }, [words])
  const colour = context.plan?.theme.accentColour ?? null
  useLayoutEffect(() => paintAccent(document.documentElement, colour), [colour])
  return (
    <Shell state={state} context={context} wording={words} send={flow.send}>
      <Screen {...{ state, context, flow }} wording={words} />
      <SpeechRegions speech={speech} />
    </Shell>
  )
}
