import { signal } from '@preact/signals'
import { render } from 'preact'
import type { Action } from '#shared/contract/session.ts'
import type { CameraCause } from './capture/camera-problem.ts'
import type { Hint } from './capture/guidance.ts'
import { emptyView } from './capture/tracker.ts'
import { drawnFace } from './preview-face.ts'
import { App } from './screens/app.tsx'
import { createSpeech } from './screens/speech.ts'
import { beginning } from './session/machine.ts'
import type { LinkProblem, State } from './session/state.ts'
import { chooseLanguage, loadWording } from './wording/languages.ts'

/**
 * Every screen by name, for the eyes of whoever draws them; not part of the build.
 * ?screen=action&action=turnLeft&hint=closer&progress=.5&accepted=1&locale=ar&account=Name&colour=%23ffcc00
 */
const query = new URLSearchParams(location.search)
const asked = query.get('screen') ?? 'consent'
const step = { step: 1, action: (query.get('action') ?? 'turnLeft') as Action, timeLimitInSeconds: 10 }
const redirectUrl = 'https://example.com/'

const states: Record<string, State> = {
  opening: { name: 'opening', slow: query.has('slow') },
  link: { name: 'linkProblem', problem: (query.get('cause') ?? 'gone') as LinkProblem, redirectUrl: null },
  consent: { name: 'consent' },
  anotherWay: { name: 'anotherWay', from: 'consent' },
  ready: { name: 'ready' },
  asking: { name: 'asking', late: true },
  starting: { name: 'starting', camera: false, slow: query.has('slow') },
  align: { name: 'align', helpOffered: query.has('help') },
  hold: { name: 'hold', helpOffered: false },
  help: { name: 'help', crowded: true },
  done: { name: 'done', after: 'action', late: query.has('late') },
  action: { name: 'action', step, again: query.has('again'), startedAt: Date.now() },
  closing: { name: 'closing' },
  paused: { name: 'paused', step, idle: false },
  sending: { name: 'sending', phase: 'sending', share: 0.6, late: true, outcome: null, settled: false },
  checking: { name: 'sending', phase: 'checking', share: 1, late: false, outcome: null, settled: false },
  offline: { name: 'offline', awaiting: 'session' },
  passed: { name: 'passed', redirectUrl, staying: false },
  notCompleted: { name: 'notCompleted', redirectUrl, staying: false },
  declined: {
    name: 'declined',
    kind: 'declined',
    sent: false,
    submission: 'none',
    leaving: false,
    redirectUrl: null,
  },
  timeOver: { name: 'timeOver', redirectUrl, offline: query.has('offline') },
  handOff: { name: 'handOff', trouble: query.has('trouble') },
  following: {
    name: 'following',
    handOff: {
      place: 'follows',
      number: '42',
      phase: (query.get('phase') ?? 'taken') as 'taken',
      actionsDone: 1,
    },
  },
  numberCheck: { name: 'numberCheck', number: '42' },
  codeEntry: { name: 'codeEntry', busy: false, wrong: query.has('wrong') },
  moved: { name: 'moved', refused: query.has('refused') },
  camera: { name: 'cameraProblem', cause: (query.get('cause') ?? 'blocked') as CameraCause },
}

const verifiers = { liveness: true, age: true, gender: false, faceRecognition: true, emotion: true }
const view = emptyView()
view.hint.value = query.get('hint') as Hint | null
view.progress.value = Number(query.get('progress') ?? 0.4)

const flow = {
  view,
  video: drawnFace(),
  send: () => {},
  elsewhere: () => null,
  situation: signal({
    state: states[asked] ?? states.consent!,
    context: {
      ...beginning.context,
      plan: {
        verifiers,
        challenge: { type: 'Advanced' as const, actionCount: 3 },
        locale: null,
        theme: {
          accountName: query.get('account') ?? 'Northwind',
          accentColour: query.get('colour'),
          region: 'Frankfurt',
        },
        embedOrigins: [],
      },
      accepted: Number(query.get('accepted') ?? 1),
      nearDeadline: query.has('near'),
      expiresAt: Date.now() + 600_000,
      isGuest: query.has('guest'),
      code: {
        code: 'K7M4P-9QXDT',
        url: 'https://check.example/handoff#K7M4P9QXDT',
        expiresAt: Date.now() + 150_000,
      },
    },
  }),
}

const wording = signal(await loadWording(chooseLanguage([query.get('locale')])))
render(<App flow={flow} wording={wording} speech={createSpeech()} />, document.getElementById('app')!)
