import { type Signal, signal } from '@preact/signals'
import type { Movement } from '#models/rules/challenge/movement.ts'
import { levelRest, type Rest } from '#models/rules/challenge/rest.ts'
import type { NextStep } from '#shared/contract/sessions/session.ts'
import type { ActingHint, CaptureFault, Hint } from '#web/wording/findings.ts'
import type { NetworkLoading } from '#workers/api.ts'
import type { Reading } from './analyser.ts'
import type { ListedCamera } from './camera/camera-list.ts'
import type { Outline } from './oval.ts'
import type { Candidate, Picture } from './selection.ts'
import { sizeStage } from './size-stage.ts'
import { nothingSpoken, speakHint } from './spoken-hint.ts'
import {
  alignStage,
  closingStage,
  halfwayStage,
  holdStage,
  presentStage,
  type StageAnswer,
  type StageWatch,
  snapshotStage,
} from './stages.ts'
import { thresholds as t } from './thresholds.ts'
import { actionStage } from './turning/action-stage.ts'

/** The current capture stage. `room` is the number of frames that it may submit. */
export type Stage =
  | { readonly name: 'idle' }
  | { readonly name: 'align' }
  | { readonly name: 'hold' }
  | { readonly name: 'action'; readonly step: NextStep; readonly room: number }
  | { readonly name: 'halfway' }
  | { readonly name: 'closing'; readonly room: number }
  | { readonly name: 'present' }
  | { readonly name: 'snapshot' }

/** The result of a finished stage. `frames` are the pictures to submit. */
export interface StageEnd {
  readonly type: 'staged'
  readonly stage: Exclude<Stage['name'], 'idle'>
  readonly frames: readonly Picture[]
  /** The fault in the frames, if they should be retaken. */
  readonly fault: CaptureFault | null
}

/** The requested action is done, but a picture of it is still missing. It will be taken on the way back. */
export interface ActedEvent {
  readonly type: 'acted'
}

/** Live data for the capture screens; changes many times per second. */
export interface LiveView {
  readonly hint: Signal<Hint | ActingHint | null>
  readonly progress: Signal<number>
  /** The face's requested and current size; null if the size is right or none is requested. */
  readonly outline: Signal<Outline | null>
  readonly mirrored: Signal<boolean>
  /** A second person was in view within the last few seconds. */
  readonly crowded: Signal<boolean>
  /** Analysis is slow on this device, so movements should be slow too. */
  readonly slow: Signal<boolean>
  /** The browser throttles pictures because the device saves power. */
  readonly heldUp: Signal<boolean>
  /** Download progress of the guidance networks; null once they are loaded. */
  readonly loading: Signal<Pick<NetworkLoading, 'bytes' | 'totalBytes'> | null>
  /** This device's other cameras, if the browser lists them. */
  readonly cameras: Signal<readonly ListedCamera[]>
}

/** The initial view. */
export function emptyView(): LiveView {
  return {
    hint: signal(null),
    progress: signal(0),
    outline: signal(null),
    mirrored: signal(true),
    crowded: signal(false),
    slow: signal(false),
    cameras: signal([]),
    heldUp: signal(false),
    loading: signal(null),
  }
}

interface TrackerOptions {
  readonly view: LiveView
  readonly onEnd: (end: StageEnd | ActedEvent) => void
  readonly onSpeak: (hint: Hint | ActingHint) => void
  /** Sends a picture while its stage is still in progress. Returns false if the picture must wait until the stage ends. */
  readonly onSure?: (picture: Picture) => boolean
  /** Runs before a frame is sent early, or ends its stage. */
  readonly onFrame?: (reading: Reading) => Promise<void>
}

const crowdedMilliseconds = 3000
/** Stages that end without a picture. */
const pictureless: ReadonlySet<Stage['name']> = new Set(['align', 'halfway'])

/**
 * Creates the tracker, which evaluates the stream for the current stage and keeps pictures for submission. It remembers the
 * neutral pose and the last action from one stage to the next.
 */
export function createTracker({ view, onEnd, onSpeak, onSure = () => false, onFrame }: TrackerOptions) {
  const watchOf = createWatches((outline) => {
    view.outline.value = outline
  })
  const show = createDisplay(view, onSpeak)
  let stage: Stage = { name: 'idle' }
  let watch: StageWatch | undefined
  let candidates: Candidate[] = []
  let keptAt = Number.NEGATIVE_INFINITY

  const keep = async (
    reading: Reading,
    { keep: marks, urgent, sure }: Pick<StageAnswer, 'keep' | 'urgent' | 'sure'>,
  ) => {
    if (marks === undefined) return
    if (!urgent && reading.at - keptAt < t.encodeGapMilliseconds) return
    keptAt = reading.at
    const mine = watch
    if (sure || urgent) await onFrame?.(reading)
    const picture = { bytes: await reading.encode(), time: reading.time }
    // The next stage may have begun in the meantime. Its film does not show this picture.
    if (watch !== mine) return
    const isSent = sure === true && onSure(picture)
    candidates.push({ ...picture, ...marks, ...(isSent && { isSent }) })
  }

  /** Sends the strongest picture of a wrong turn, before a later one would leave it behind. */
  const release = () => {
    const [strongest] = candidates
      .filter(({ isWrongTurn }) => isWrongTurn)
      .sort((a, b) => b.strength - a.strength)
    if (strongest === undefined || !onSure(strongest)) return
    candidates = candidates.map((one) => (one === strongest ? { ...one, isSent: true } : one))
  }

  return {
    track(next: Stage) {
      stage = next
      watch = watchOf(next)
      candidates = []
      keptAt = Number.NEGATIVE_INFINITY
      view.hint.value = null
      view.progress.value = 0
      view.outline.value = null
    },
    async read(reading: Reading) {
      const mine = watch
      if (mine === undefined || stage.name === 'idle') return
      const observed = mine.watch(reading.analysis, reading.at)
      show(observed, reading.at, mine.crowded())
      if (observed.restart) candidates = candidates.filter(({ isSent }) => isSent)
      if (observed.release) release()
      await keep(reading, observed)
      if (observed.acted && watch === mine) onEnd({ type: 'acted' })
      if (!observed.done || watch !== mine) return
      if (mine.select(candidates).length === 0 && !pictureless.has(stage.name)) {
        await keep(reading, { urgent: true, keep: { strength: 0, merit: 0, stray: false } })
      }
      if (watch !== mine) return
      const frames = mine.select(candidates)
      watch = undefined
      onEnd({ type: 'staged', stage: stage.name, frames, fault: observed.fault ?? null })
    },
  }
}

/** Creates the watcher for each stage, using the pose and action from earlier stages. */
function createWatches(
  onOutline: (outline: Outline | null) => void,
): (stage: Stage) => StageWatch | undefined {
  let neutral: Rest = levelRest
  let previous: Movement | null = null
  let isPardonLeft = true
  const pardon = () => {
    const wasLeft = isPardonLeft
    isPardonLeft = false
    return wasLeft
  }
  return (stage) => {
    switch (stage.name) {
      case 'idle':
        return undefined
      case 'align':
        return alignStage(onOutline)
      case 'hold':
        return holdStage((found) => {
          neutral = found
          previous = null
          isPardonLeft = true
        })
      case 'action': {
        const before = previous
        previous = stage.step.action
        const { size } = stage.step
        if (size !== undefined) return sizeStage(size, stage.room, neutral, onOutline)
        return actionStage(stage.step, stage.room, { neutral, previous: before, pardon })
      }
      case 'halfway':
        return halfwayStage(neutral)
      case 'closing':
        return closingStage(stage.room, neutral, previous)
      case 'present':
        return presentStage()
      case 'snapshot':
        return snapshotStage()
    }
  }
}

/** Updates the view and occasionally speaks a hint. */
function createDisplay(view: LiveView, onSpeak: (hint: Hint | ActingHint) => void) {
  let crowdedAt = Number.NEGATIVE_INFINITY
  let spoken = nothingSpoken
  return ({ hint, progress }: StageAnswer, at: number, crowded: boolean) => {
    view.hint.value = hint
    view.progress.value = progress
    if (crowded) crowdedAt = at
    view.crowded.value = at - crowdedAt < crowdedMilliseconds
    const speech = speakHint(spoken, hint === 'farEnough' ? null : hint, at)
    spoken = speech.memory
    if (speech.speak !== null) onSpeak(speech.speak)
  }
}
