import type { BrowserClient } from '../openid/browser-site.ts'
import { type PopupDifficulty, popupDifficulties } from '../openid/sign-ins.ts'
import {
  clockJumps,
  encodesNoise,
  forgetfulStorage,
  fullStorage,
  hidesPictures,
  keepsAddress,
  noStorage,
  noWebAssembly,
  putAside,
  refusesPixels,
  refusesStorage,
  reloaded,
  whitePictures,
  workerHidesPictures,
} from './browsers.ts'
import { cameras } from './cameras.ts'
import { appended, languages, scanned, scannedMeanwhile } from './links.ts'
import { calls, type FateName, fates, files, gap, request, slow, slowUplink } from './networks.ts'
import type { Surrounding } from './surrounding.ts'
import { helped, readAloud, translated, translatedByElements } from './translators.ts'

/** A situation that a person or a program encounters, and its outcome. */
export type Row = (
  | {
      /** Conditions that a single visit encounters together. */
      readonly met: readonly Surrounding[]
      /** A visit passes, with liveness unless an age is enough. Otherwise, the page says this and offers a way out. */
      readonly comes: 'a visit that passes' | 'an age that passes' | RegExp
      /** The language of every screen. */
      readonly speaks?: 'de'
    }
  | { readonly signsIn: BrowserClient; readonly amid: PopupDifficulty }
  /** A native program asks for a sign-in with one redirect address, and registered another one. */
  | { readonly registered: string; readonly asks: string; readonly isRefused: boolean }
) & { readonly isShort?: true }

const visit = (...met: Surrounding[]): Row => ({ met, comes: 'a visit that passes' })
const age = (...met: Surrounding[]): Row => ({ met, comes: 'an age that passes' })
const words = (comes: RegExp, ...met: Surrounding[]): Row => ({ met, comes })
const german = (...met: Surrounding[]): Row => ({ met, comes: 'an age that passes', speaks: 'de' })
const signIn = (signsIn: BrowserClient, amid: PopupDifficulty = popupDifficulties.none): Row => ({
  signsIn,
  amid,
})
const native = (registered: string, asks: string, isRefused = false): Row => ({ registered, asks, isRefused })
const short = (row: Row): Row => ({ ...row, isShort: true })

const everyFate = Object.keys(fates) as FateName[]

/**
 * [Note: One row for each surrounding] Add a row for each new condition, beside those of its kind. In the short form, rows share their visits.
 * The rows of other browsers are in e2e/engines/surroundings.engine.ts.
 */
export const cases: Readonly<Record<string, readonly Row[]>> = {
  'a network gap': [
    short(
      visit(
        request('read-link', 'is lost', 2),
        request('init-redirect-session', 'has its answer lost', 2),
        request('submit-step', 'arrives late', 5),
        request('submit-session', 'meets a busy server', 2),
        scannedMeanwhile('two scanners at once'),
      ),
    ),
    ...calls.flatMap((call) => everyFate.map((fate) => visit(request(call, fate)))),
    ...(['is lost', 'arrives late', 'has its answer held back'] as const).map((fate) =>
      visit(request('submit-step', fate, 20)),
    ),
    ...(['is lost', 'arrives late', 'is swallowed'] as const).map((fate) =>
      visit(request('submit-step', fate, 5, 2)),
    ),
    visit(request('get-session', 'is lost'), reloaded),
    visit(request('get-session', 'is answered by a sign-in page'), reloaded.from!('action')),
    visit(files('the networks of the analysis', '**/*.onnx', 'is lost')),
    visit(files('the worker of the analysis', '**/analysis.worker*', 'is lost', 3)),
    age(files('the German words', '**/de-*.js', 'is lost', 30), languages(undefined, 'de-AT')),
    visit(gap(0, 5)),
    visit(gap(3, 20)),
    visit(gap(0, 5).from!('consent')),
    visit(gap(0, 5).from!('action')),
    visit(gap(0, 5).from!('sending')),
  ],
  'a slow network': [
    visit(slowUplink(64_000)),
    visit(slowUplink(32_000)),
    visit(slowUplink(32_000, 'action')),
    visit(slow('a downlink of 80,000 bytes a second', { down: 80_000, latency: 300 }, 'consent')),
    visit(slow('a latency of 1.5 s', { latency: 1500 }, 'consent')),
    words(/network is too slow/, slowUplink(9000)),
  ],
  'a browser that hides pictures': [
    short(words(/hides the camera’s picture/, hidesPictures)),
    words(/hides the camera’s picture/, whitePictures),
    words(/hides the camera’s picture/, refusesPixels),
    words(/hides the camera’s picture/, workerHidesPictures),
    words(/hides the camera’s picture/, encodesNoise),
  ],
  'a camera that warms up': [
    age(cameras(['opens its eyes in 2.5 s'])),
    age(cameras(['opens its eyes in 7 s'])),
    age(cameras(['goes black for 2.5 s after its first picture'])),
    visit(cameras(['is muted for 3 s after its first picture'])),
    age(cameras(['stands still for 3 s after its first picture'])),
    age(cameras(['starts small'])),
  ],
  'a first camera that shows nothing': [
    age(cameras(['black', 'good'])),
    age(cameras(['black', 'good'], { named: false })),
    age(cameras(['black', 'good'], { list: 'listed once allowed' })),
    age(cameras(['logo', 'good'])),
    age(cameras(['silent', 'good'])),
    age(cameras(['tiny', 'good'])),
    age(cameras(['hangs', 'good'])),
    age(cameras(['nothing', 'good'])),
    age(cameras(['black', 'black', 'black', 'good'])),
    words(/Choose Allow to use the camera/, cameras(['hangs'])),
    words(/This camera shows no picture/, cameras(['black'])),
    words(/picture is too small/, cameras(['tiny'])),
    words(/No camera found/, cameras(['nothing'])),
  ],
  'a third camera after a busy one': [
    short(
      age(
        cameras(['black', 'logo', 'busy', 'good']),
        translated,
        fullStorage,
        reloaded,
        appended('&fbclid=abc'),
      ),
    ),
    age(cameras(['logo', 'busy', 'good'])),
    age(cameras(['logo', 'busy', 'good'], { chosen: 3 })),
    age(cameras(['busy', 'busy', 'good'])),
    age(cameras(['logo', 'gone', 'good'])),
    age(cameras(['logo', 'hangs', 'good'])),
    age(cameras(['good'], { list: 'refused' })),
    age(cameras(['good'], { list: 'never listed' })),
    age(cameras(['good'], { list: 'listed as nothing' })),
  ],
  'a page that is translated': [
    visit(translated),
    visit(translated.from!('action')),
    visit(translatedByElements),
    visit(readAloud),
    visit(helped),
  ],
  'a link that is opened by a program': [
    age(scanned('a scanner that waits for 10 s')),
    age(scanned('two scanners at once')),
    age(scannedMeanwhile('two scanners at once')),
    age(scanned('ten previews')),
    age(scanned('a program without scripts')),
    age(scanned('a scanner that scrolls and moves a mouse')),
    visit(scannedMeanwhile('two scanners at once').from!('action')),
  ],
  'text after the signature': [
    ...['&fbclid=abc', '&utm_source=mail&utm_medium=email', '.', ')', '%22', '\u200b'].map((tail) =>
      age(appended(tail)),
    ),
    ...['&reLocale=de', '&reSignature=0', '&amp;utm_source=mail', '>', '%20', '#top'].map((tail) =>
      age(appended(tail)),
    ),
    age(appended('&fbclid=abc'), keepsAddress),
  ],
  'several languages': [
    short(german(languages('gsw de en'))),
    german(languages('nb-NO de', 'fr-FR')),
    german(languages('de_DE', 'en-US')),
    german(languages(undefined, 'gsw', 'de-AT', 'en')),
    german(languages('tlh, de_CH-1996;en')),
    german(languages('DE', 'fr-FR'), cameras(['black', 'good'])),
    words(/Diese Kamera zeigt kein Bild/, languages('de_DE', 'fr-FR'), cameras(['black'])),
  ],
  'a sign-in in a popup': [
    short(signIn('oidc-client-ts')),
    signIn('oidc-client-ts-3.2'),
    signIn('oidc-client-ts', popupDifficulties.noReferrer),
    signIn('oidc-client-ts-3.2', popupDifficulties.closed),
    signIn('oidc-client-ts', popupDifficulties.gap),
    signIn('oidc-client-ts', popupDifficulties.reloaded),
  ],
  'a native program on a loopback port': [
    native('http://127.0.0.1/cb', 'http://127.0.0.1:53111/cb'),
    native('http://[::1]/cb', 'http://[::1]:53111/cb'),
    native('http://127.0.0.1:8080/cb?a=1', 'http://127.0.0.1:53111/cb?a=1'),
    native('http://127.0.0.1/cb', 'http://127.0.0.1:53111/other', true),
    native('http://127.0.0.1/cb', 'http://localhost:53111/cb', true),
  ],
  'a browser with odd storage or clocks': [
    short(words(/WebAssembly is off/, noWebAssembly)),
    age(refusesStorage, reloaded),
    age(fullStorage, reloaded),
    age(forgetfulStorage, reloaded),
    age(noStorage, reloaded),
    age(refusesStorage),
    ...[2, -2, 24 * 365].map((hours) => visit(clockJumps(hours))),
    visit(putAside),
  ],
}
