import { batch, signal } from '@preact/signals'
import { render } from 'preact'
import { emptyView } from '#web/capture/analysis/tracker.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import { App } from '#web/capture/screens/app.tsx'
import { createSpeech } from '#web/ui/speech.ts'
import { chooseLanguage, knownLanguages, loadWording } from '#web/wording/languages.ts'
import { standIn } from './preview-face.ts'
import { type FromPreview, hear, type PreviewedCheck, type ToPreview } from './preview-messages.ts'
import { situationOf, stepAfter } from './preview-walk.ts'

/**
 * Shows the capture page's screens inside the console's frame with a drawn face, but no camera, session or network. The console's
 * messages determine the check, and the page reports clicks.
 */
const root = document.getElementById('app')!
const video = standIn(null)
const speech = createSpeech()
const situation = signal(beginning)
const wording = signal(await loadWording('en'))
const view = emptyView()
view.mirrored.value = true

let latest: PreviewedCheck | undefined
/** The device that the screens are rendered for. Changing it renders them again. */
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

async function show(previewed: PreviewedCheck): Promise<void> {
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

/** If the account's pages follow the device's theme, the previewed device determines it. */
function dressed({ plan, isDark }: PreviewedCheck): PreviewedCheck['plan'] {
  const { mode = 'auto' } = plan.theme
  const shown = mode === 'auto' ? (isDark ? 'dark' : 'light') : mode
  return { ...plan, theme: { ...plan.theme, mode: shown } }
}

/** Screens take the focus when they appear, which would interrupt a person who is typing next to the frame. */
function keepFocusOut(): void {
  const { focus } = HTMLElement.prototype
  HTMLElement.prototype.focus = function (options) {
    if (document.hasFocus()) focus.call(this, options)
  }
}

/** Screens check the type of pointer, so the previewed device answers instead of the one running the console. */
function seeDevice(isPhone: () => boolean): void {
  const ask = window.matchMedia.bind(window)
  window.matchMedia = (query) => (query.includes('pointer') ? ask(isPhone() ? 'all' : 'not all') : ask(query))
}
