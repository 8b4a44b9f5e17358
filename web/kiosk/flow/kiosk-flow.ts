import { type ReadonlySignal, signal } from '@preact/signals'
import type { Flow } from '#web/capture/flow/flow.ts'
import type { Kiosk, KioskCommands, KioskVisit } from '#web/kiosk/core/kiosk.ts'
import type { KioskEffect, KioskEvent, KioskSituation } from '#web/kiosk/core/state.ts'
import { fillScreen } from '#web/kiosk/core/wakefulness.ts'
import { type Ending, endingOf } from './ending.ts'
import { watchIdleness } from './idle-watch.ts'
import { isAttended, isInUse, patienceOf } from './idleness.ts'
import { advanceKiosk, kioskBeginning } from './machine.ts'

/** A kiosk's running page, with its state and events. */
export interface KioskFlow {
  readonly situation: ReadonlySignal<KioskSituation>
  /** The capture page's flow during a visit. */
  readonly visit: ReadonlySignal<Flow | null>
  readonly send: (event: KioskEvent) => void
}

interface KioskFlowOptions {
  readonly kiosk: Kiosk
  /** Starts the capture for a visit. */
  readonly openFlow: (visit: KioskVisit) => Flow
  readonly resetLanguage: () => void
}

/** Starts the page: runs the state machine's effects and turns their results into events. */
export function startKioskFlow({ kiosk, openFlow, resetLanguage }: KioskFlowOptions): KioskFlow {
  const situation = signal(kioskBeginning)
  const visit = signal<Flow | null>(null)
  let endTurn = () => {}

  const send = (event: KioskEvent) => {
    const before = situation.peek()
    const { situation: after, effects } = advanceKiosk(before, event)
    situation.value = after
    if (after.state !== before.state) renew()
    kiosk.setInUse(isInUse(after.state))
    for (const effect of effects) run(effect)
  }
  const renew = watchIdleness({
    patience: () => patienceOf(situation.peek().state),
    isAttended: () => {
      const flow = visit.peek()
      if (situation.peek().state.name !== 'visit' || flow === null) return false
      return isAttended(flow.situation.peek(), flow.view)
    },
    onIdle: () => send({ type: 'idle' }),
  })

  const beginVisit = async () => {
    fillScreen()
    const begun = await kiosk.commands.beginVisit().catch(() => undefined)
    if (begun === undefined) return send({ type: 'visitRefused' })
    if (situation.peek().state.name !== 'attract') return begun.end()
    const flow = openFlow(begun)
    const ended = ({ answer, expression }: Ending) => send({ type: 'ended', answer, expression })
    const stopWatching = watchTurn(begun, flow, renew, ended)
    endTurn = () => {
      stopWatching()
      flow.end()
      begun.end()
    }
    visit.value = flow
    send({ type: 'visitBegan' })
  }
  /** [Note: Nothing is left] Releases the pictures, the frames and the flow. Only the sealed capture remains. */
  const endVisit = () => {
    endTurn()
    endTurn = () => {}
    visit.value = null
    delete document.documentElement.dataset.bright
  }
  const runs: Runs = {
    ...commandsOf(kiosk.commands, send),
    beginVisit,
    restVisit: () => visit.peek()?.send({ type: 'hidden' }),
    endVisit,
    resetLanguage,
  }
  const run = (effect: KioskEffect) => (runs[effect.type] as (effect: KioskEffect) => unknown)(effect)

  const tell = () => send({ type: 'status', status: kiosk.status.peek(), hasPin: kiosk.hasPin.peek() })
  kiosk.status.subscribe(tell)
  kiosk.hasPin.subscribe(tell)
  return { situation, visit, send }
}

type Runs = { [T in KioskEffect['type']]: (effect: Extract<KioskEffect, { readonly type: T }>) => unknown }

/** The effects that the kiosk core carries out. Their results become events. */
function commandsOf(commands: KioskCommands, send: (event: KioskEvent) => void) {
  const done = () => send({ type: 'done' })
  return {
    async pair({ code }) {
      const trouble = await commands.pair(code)
      if (trouble !== undefined) send({ type: 'notPaired', trouble })
    },
    setPin: ({ pin }) => commands.setPin(pin),
    async checkPin({ pin }) {
      const check = await commands.checkPin(pin)
      const waits = !check.isRight && check.waitSeconds > 0
      const waitUntil = waits ? Date.now() + check.waitSeconds * 1000 : null
      send({ type: 'pinChecked', isRight: check.isRight, waitUntil })
    },
    sync: () => commands.sync().finally(done),
    retry: () => commands.retrySetAside().finally(done),
    async unpair({ name, loseWaiting }) {
      const trouble = await commands.unpair(name, loseWaiting)
      if (trouble !== 'unpaired') send({ type: 'notUnpaired', trouble })
    },
  } satisfies Partial<Runs>
}

/** Watches a visit until it ends. Returns a function that stops watching. */
function watchTurn(
  { outcome }: KioskVisit,
  { situation }: Flow,
  renew: () => void,
  ended: (ending: Ending) => void,
): () => void {
  // Let the flow finish its current update before the visit ends.
  const look = () =>
    queueMicrotask(() => {
      const ending = isOver ? undefined : endingOf(outcome.peek(), situation.peek())
      if (ending !== undefined) ended(ending)
    })
  let isOver = false
  const stops = [
    outcome.subscribe(look),
    situation.subscribe(() => {
      renew()
      look()
    }),
  ]
  return () => {
    isOver = true
    for (const stop of stops) stop()
  }
}
