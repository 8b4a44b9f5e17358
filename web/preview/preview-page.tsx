import { batch, signal } from '@preact/signals'
import { render } from 'preact'
import { emptyView } from '#web/capture/analysis/tracker.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import { App } from '#web/capture/screens/app.tsx'
import { createSpeech } from '#web/ui/speech.ts'
import { chooseLanguage, knownLanguages, loadWording } from '#web/wording/languages.ts'
import { standIn } from './preview-face.ts'
import { type FromPreview, hear, type Previewed, type ToPreview } from './preview-messages.ts'
import { situationOf, stepAfter } from './preview-walk.ts'

/**
 * The capture page's own screens in the console's frame, with a drawn person: no camera, no session, no network. It shows what the console
 * tells it, and tells the console where a press led.
 */
const root = document.getElementById('app')!
const video = standIn(null)
const speech = createSpeech()
const situation = signal(beginning)
const wording = signal(await loadWording('en'))
const view = emptyView()
view.mirrored.value = true

let latest: Previewed | undefined
/** What the screens are drawn for; another device draws them anew. */
let drawnFor = ''

const tell = (message: FromPreview) => window.parent.postMessage(message, location.origin)

keepFocusOut()
seeDevice(() => latest?.isPhone ?? false)
hear<ToPreview>(
  window,
  () => (window.parent === window ? null : window.parent),
  ({ previewed }) => void show(previewed),
)
tell({ kind: 'ready', languages: knownLanguages() })

async function show(previewed: Previewed): Promise<void> {
  latest = previewed
  const words = await loadWording(chooseLanguage([previewed.locale]))
  if (latest !== previewed) return
  batch(() => {
    wording.value = words
    view.progress.value = previewed.step === 'hold' ? 0.6 : 0.3
    situation.value = situationOf({ ...previewed, plan: dressed(previewed) }, Date.now())
  })
  const device = String(previewed.isPhone)
  if (device === drawnFor) return
  drawnFor = device
  const flow = { situation, view, video, send, elsewhere: () => null }
  render(<App key={device} flow={flow} wording={wording} speech={speech} />, root)
}

function send({ type }: { readonly type: Parameters<typeof stepAfter>[0] }): void {
  const step = latest && stepAfter(type, latest.step, latest.plan)
  if (step !== undefined) tell({ kind: 'went', step })
}

/** An account that leaves it to the device gets the device that is looked at. */
function dressed({ plan, isDark }: Previewed): Previewed['plan'] {
  const { mode = 'auto' } = plan.theme
  const shown = mode === 'auto' ? (isDark ? 'dark' : 'light') : mode
  return { ...plan, theme: { ...plan.theme, mode: shown } }
}

/** Screens take the focus when they appear, which would take it from whoever writes next to the frame. */
function keepFocusOut(): void {
  const { focus } = HTMLElement.prototype
  HTMLElement.prototype.focus = function (options) {
    if (document.hasFocus()) focus.call(this, options)
  }
}

/** The screens ask how they are touched: they are given that of the device that is previewed, not of that of the console. */
function seeDevice(isPhone: () => boolean): void {
  const ask = window.matchMedia.bind(window)
  window.matchMedia = (query) => (query.includes('pointer') ? ask(isPhone() ? 'all' : 'not all') : ask(query))
}
