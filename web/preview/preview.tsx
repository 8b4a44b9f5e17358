import { signal } from '@preact/signals'
import { render } from 'preact'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { emptyView } from '#web/capture/analysis/tracker.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import { App } from '#web/capture/screens/app.tsx'
import { createSpeech } from '#web/ui/speech.ts'
import { chooseLanguage, loadWording } from '#web/wording/languages.ts'
import { kioskExhibits } from './kiosk-exhibits.ts'
import { exhibits } from './preview-exhibits.ts'
import { standIn } from './preview-face.ts'
import { showKiosk } from './preview-kiosk.tsx'

/** The size of the guidance networks according to the manifest. */
const guidanceBytes = 1.77e6

/**
 * All screens by name, for designers; not part of the build. Without a name, it shows a list of them.
 * ?screen=action-smile&progress=.5&locale=ar&account=Name&colour=%23ffcc00&face=ADDRESS&logo=light
 * &radius=4&font=serif&mode=dark&test=yes
 */
const query = new URLSearchParams(location.search)
const root = document.getElementById('app')!
const name = query.get('screen') ?? ''
const exhibit = exhibits[name]
const kioskState = kioskExhibits[name]

Object.assign(window, { drawAgain })
await draw(query.get('locale'))

/** Renders the screen again without reloading the document, so that it can be checked in several languages. */
async function drawAgain(locale: string): Promise<void> {
  render(null, root)
  await draw(locale)
}

async function draw(locale: string | null): Promise<void> {
  if (exhibit !== undefined) await show(exhibit, locale)
  else if (kioskState !== undefined) await showKiosk(kioskState, previewPlan(), locale, root)
  else render(<List />, root)
}

/** A word mark for a light or a dark background. */
function logoOf(ground: string | null) {
  if (ground !== 'light' && ground !== 'dark') return null
  const ink = ground === 'light' ? '%23102a43' : 'white'
  const address = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="140" height="40" viewBox="0 0 140 40"><circle cx="20" cy="20" r="16" fill="${ink}"/><path d="M50 28V12l14 16V12m14 0v16m14-16 6 16 6-16" stroke="${ink}" stroke-width="5" fill="none"/></svg>`
  return { address, width: 140, height: 40, ground } as const
}

function previewPlan(): CapturePlan {
  return {
    verifiers: { liveness: true, age: true, gender: false, faceRecognition: true, emotion: true },
    challenge: { type: 'Advanced', actionCount: 3 },
    evidence: { trail: true, trailPerSecond: 6, trailPixels: 128 },
    locale: null,
    theme: {
      accountName: query.get('account') ?? 'Northwind',
      accentColour: query.get('colour'),
      logo: logoOf(query.get('logo')),
      region: 'Frankfurt',
      supportUrl: 'https://northwind.example/help',
      ...themeOf(query),
    },
    privacy: {
      privacyUrl: 'https://northwind.example/privacy',
      termsUrl: null,
      controller: 'Northwind Trading Ltd, Frankfurt',
      purpose: 'To make sure that one person opens one account.',
    },
    ...(query.has('test') && { test: { outcome: null } }),
    embedOrigins: [],
  }
}

/** The preview's plan, plus any changes an exhibit makes. */
function planWith({ theme, ...given }: NonNullable<(typeof exhibits)[string]['plan']> = {}): CapturePlan {
  const plan = previewPlan()
  return { ...plan, ...given, theme: { ...plan.theme, ...theme } }
}

function themeOf(query: URLSearchParams): Partial<CapturePlan['theme']> {
  const [radius, font, mode] = ['radius', 'font', 'mode'].map((name) => query.get(name))
  return {
    ...(radius && { radius: Number(radius) }),
    ...(font && { font: font as NonNullable<CapturePlan['theme']['font']> }),
    ...(mode && { mode: mode as NonNullable<CapturePlan['theme']['mode']> }),
  }
}

function List() {
  return (
    <main>
      <h1>Every screen</h1>
      <ul>
        {[...Object.keys(exhibits), ...Object.keys(kioskExhibits)].map((name) => (
          <li key={name}>
            <a href={`?screen=${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </main>
  )
}

async function show(
  { state, context, plan, hint, crowded, loaded }: NonNullable<typeof exhibit>,
  locale: string | null,
): Promise<void> {
  const view = emptyView()
  view.hint.value = hint ?? null
  view.crowded.value = crowded ?? false
  view.loading.value =
    loaded === undefined ? null : { bytes: loaded * guidanceBytes, totalBytes: guidanceBytes }
  view.progress.value = Number(query.get('progress') ?? 0.4)
  const flow = {
    view,
    video: standIn(query.get('face')),
    send: () => {},
    elsewhere: () => null,
    situation: signal({
      state,
      context: {
        ...beginning.context,
        plan: planWith(plan),
        accepted: 1,
        expiresAt: Date.now() + 600_000,
        code: {
          code: 'K7M4P-9QXDT',
          url: 'https://check.example/handoff#K7M4P9QXDT',
          expiresAt: Date.now() + 150_000,
        },
        ...context,
      },
    }),
  }
  const wording = signal(await loadWording(chooseLanguage([locale])))
  render(<App flow={flow} wording={wording} speech={createSpeech()} />, root)
}
