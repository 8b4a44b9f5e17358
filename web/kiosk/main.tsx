import { render } from 'preact'
import { createSpeech } from '../screens/speech.ts'
import { startFlow } from '../session/flow.ts'
import { wordingVersion } from '../wording/fill.ts'
import { createCameraChoice } from './camera-choice.ts'
import { createKiosk } from './create-kiosk.ts'
import { startKioskFlow } from './kiosk-flow.ts'
import { openLanguage } from './language.ts'
import { KioskApp } from './screens/kiosk-app.tsx'
import { stayAwake } from './wakefulness.ts'

const kiosk = createKiosk()
const language = await openLanguage(() => [kiosk.settings.peek()?.locale ?? null, ...navigator.languages])
const { words } = language
const speech = createSpeech()

const flow = startKioskFlow({
  kiosk,
  resetLanguage: language.reset,
  openFlow: ({ seams }) =>
    startFlow({
      ...seams,
      onSpeak: (hint) => speech.say(words.value.page.hint[hint]),
      wording: async (plan) => ({
        wordingVersion: await wordingVersion(words.value.page, plan),
        locale: words.value.page.locale,
      }),
    }),
})

kiosk.settings.subscribe(language.reset)
stayAwake()

const cameras = createCameraChoice(localStorage, navigator.mediaDevices)
const given = { kiosk, flow, words, speech, cameras, chooseLanguage: language.choose }
render(<KioskApp {...given} />, document.getElementById('app')!)
