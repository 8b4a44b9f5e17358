import { render } from 'preact'
import { startFlow } from '#web/capture/flow/flow.ts'
import { createSpeech } from '#web/ui/speech.ts'
import { shownWording } from '#web/wording/fill.ts'
import { createCameraChoice } from './core/camera-choice.ts'
import { stayAwake } from './core/wakefulness.ts'
import { createKiosk } from './flow/create-kiosk.ts'
import { startKioskFlow } from './flow/kiosk-flow.ts'
import { KioskApp } from './screens/kiosk-app.tsx'
import { stripPairingCode } from './staff/pairing-address.ts'
import { openLanguage } from './wording/language.ts'

const kiosk = createKiosk()
const language = await openLanguage(() => [kiosk.settings.peek()?.locale ?? null, ...navigator.languages])
const { words } = language
const speech = createSpeech()
const cameras = createCameraChoice(localStorage, navigator.mediaDevices)

const flow = startKioskFlow({
  kiosk,
  resetLanguage: language.reset,
  openFlow: ({ seams }) =>
    startFlow({
      ...seams,
      camera: cameras.chosen,
      onSpeak: (hint) => speech.say(words.value.page.hint[hint]),
      wording: (plan) => shownWording(words.value.page, plan),
    }),
})

// The kiosk's language is known once it is paired. Later changes on the server apply to the next person.
let isKnown = false
kiosk.settings.subscribe((settings) => {
  if (settings !== null && !isKnown) language.reset()
  isKnown = settings !== null
})
kiosk.name.subscribe((name) => name !== null && stripPairingCode(history, location))
stayAwake()

const given = { kiosk, flow, words, speech, cameras, chooseLanguage: language.choose }
render(<KioskApp {...given} />, document.getElementById('app')!)
