import { computed, signal } from '@preact/signals'
import { render } from 'preact'
import { appAround } from '#web/capture/analysis/camera/app-around.ts'
import { createSpeech } from '#web/ui/speech.ts'
import { surviveTranslation } from '#web/ui/translated.ts'
import { shownWording } from '#web/wording/fill.ts'
import { wordingInside } from '#web/wording/inside-app.ts'
import { chooseLanguage, loadWording } from '#web/wording/languages.ts'
import { exitOf } from './flow/departure.ts'
import { followEmbedder } from './flow/embedder.ts'
import { startFlow } from './flow/flow.ts'
import { followHeight } from './flow/frame-height.ts'
import { whenQuiet } from './flow/quiet.ts'
import { App } from './screens/app.tsx'

const loadWords = async (languages: readonly string[]) =>
  wordingInside(appAround(navigator.userAgent), await loadWording(chooseLanguage(languages)))
const wording = signal(await loadWords(navigator.languages))
const speech = createSpeech()

const flow = startFlow({
  onSpeak: (hint) => speech.say(wording.value.hint[hint]),
  wording: (plan) => shownWording(wording.value, plan),
})

let chosen: string | undefined
flow.situation.subscribe(async ({ context }) => {
  const locale = context.plan?.locale
  if (!locale || locale === chosen) return
  chosen = locale
  wording.value = await loadWords([locale, ...navigator.languages])
})

whenQuiet(flow.situation, async () => {
  const { keepForOffline } = await import('./offline.ts')
  await keepForOffline(flow)
})

const root = document.getElementById('app')!
render(<App flow={flow} wording={wording} speech={speech} />, root)
surviveTranslation(root)
const exit = exitOf(window)
followEmbedder(exit, flow.situation)
const screen = computed(() => flow.situation.value.state.name)
followHeight(exit, window, (changed) => screen.subscribe(changed))
