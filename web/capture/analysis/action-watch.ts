import { actionLimits, backShare } from '#models/rules/challenge/action-limits.ts'
import { type Movement, movements } from '#models/rules/challenge/movement.ts'
import type { Rest } from '#models/rules/challenge/rest.ts'
import { isBack, type Strengths, strengthsOf } from '#models/rules/challenge/strength.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Analysis } from '#workers/api.ts'
import { thresholds } from './thresholds.ts'

/** What is asked: the action, and what the person did last, whose rest is excused at first. */
export interface Ask {
  readonly action: Action
  readonly neutral: Rest
  readonly previous: Movement | null
}

/** What one step's watch remembers. Times are milliseconds of the stream. */
export interface ChallengeMemory {
  readonly startedAt: number | null
  /** Whether the person has looked straight ahead in this step, or had the time to. */
  readonly settled: boolean
  /** Analyses in a row beyond the threshold of the asked action. */
  readonly beyond: number
  readonly closedAt: number | null
  readonly eyesWereClosed: boolean
  readonly done: boolean
  /** Analyses in a row with each other movement, and since when. */
  readonly strays: Partial<Record<Movement, { count: number; since: number }>>
  /** The first other movement that was plainly made before the asked one. */
  readonly other: Movement | null
  /** How strongly the asked action shows now. */
  readonly strength: number
  readonly strengths: Strengths | null
}

export const noChallenge: ChallengeMemory = {
  startedAt: null,
  settled: false,
  beyond: 0,
  closedAt: null,
  eyesWereClosed: false,
  done: false,
  strays: {},
  other: null,
  strength: 0,
  strengths: null,
}

/** The next memory of the step. Pure: what counts is the stream of analyses and its clock. */
export function watchAction(
  memory: ChallengeMemory,
  analysis: Analysis,
  at: number,
  ask: Ask,
): ChallengeMemory {
  const strengths = strengthsOf(analysis, ask.neutral)
  const startedAt = memory.startedAt ?? at
  if (strengths === undefined || memory.done) return { ...memory, startedAt, beyond: 0, strengths: null }
  const settled = memory.settled || isBack(strengths) || at - startedAt >= thresholds.comeBackMilliseconds
  const strength = strengths[ask.action]
  const now = { ...memory, startedAt, settled, strength, strengths }
  const counts = settled || ask.previous !== ask.action
  const acted = counts ? (ask.action === 'blink' ? blink(now, at) : reach(now, at)) : now
  return watchOthers(acted, strengths, at, ask)
}

/** Whether the person has gone further than needed. */
function isFarEnough({ strengths }: ChallengeMemory): boolean {
  if (strengths === null) return false
  const share = thresholds.action.turnFarEnough / actionLimits.turnDegrees
  return Math.max(strengths.turnLeft, strengths.turnRight) > share
}

/** What is said of an action that has gone too far, or that the camera does not see begin: each says what it sees. */
export type ActingHint = 'farEnough' | 'headStraight' | 'chinLevel' | 'eyesOpen' | 'noSmile' | 'notCloser'

const unmoved: Readonly<Record<Action, ActingHint>> = {
  turnLeft: 'headStraight',
  turnRight: 'headStraight',
  lookUp: 'chinLevel',
  blink: 'eyesOpen',
  smile: 'noSmile',
  comeCloser: 'notCloser',
}

/** What the camera sees of an action that is not done: too much of it, or, after a while, next to nothing; null where nothing needs saying. */
export function actingHintOf(memory: ChallengeMemory, action: Action, at: number): ActingHint | null {
  if (isFarEnough(memory)) return 'farEnough'
  const { afterMilliseconds, share } = thresholds.unmoved
  const isStuck =
    memory.strengths !== null && memory.strength < share && at - (memory.startedAt ?? at) >= afterMilliseconds
  return isStuck ? unmoved[action] : null
}

/** Held long enough to be believed: the server takes an answer that comes too early for a recording. */
function reach(memory: ChallengeMemory, at: number): ChallengeMemory {
  const beyond = memory.strength >= 1 ? memory.beyond + 1 : 0
  const long = at - (memory.startedAt ?? at) >= thresholds.action.leastMilliseconds
  return { ...memory, beyond, done: long && beyond >= thresholds.action.analyses }
}

/** Closed long enough, then open again: no length of shutter or nap can pass for it. */
function blink(memory: ChallengeMemory, at: number): ChallengeMemory {
  if (memory.strength >= 1) {
    const closedAt = memory.closedAt ?? at
    const long = at - closedAt >= thresholds.action.blinkMilliseconds
    return { ...memory, closedAt, beyond: memory.beyond + 1, eyesWereClosed: memory.eyesWereClosed || long }
  }
  const open = memory.strength < backShare
  return { ...memory, closedAt: null, beyond: 0, done: memory.eyesWereClosed && open }
}

function watchOthers(memory: ChallengeMemory, strengths: Strengths, at: number, ask: Ask): ChallengeMemory {
  if (memory.other !== null) return memory
  const excused = memory.settled ? null : ask.previous
  const strays: ChallengeMemory['strays'] = {}
  let other: Movement | null = null
  for (const movement of movements) {
    if (movement === ask.action || movement === 'comeCloser' || movement === excused) continue
    if (strengths[movement] < plainShare(movement)) continue
    const known = memory.strays[movement]
    const stray = { count: (known?.count ?? 0) + 1, since: known?.since ?? at }
    strays[movement] = stray
    if (stray.count >= thresholds.action.analyses && longEnough(movement, at - stray.since))
      other ??= movement
  }
  return { ...memory, strays, other }
}

function plainShare(movement: Movement): number {
  return movement === 'smile' ? thresholds.plainSmileShare : 1
}

function longEnough(movement: Movement, lasted: number): boolean {
  return movement !== 'blink' || lasted >= thresholds.deliberateBlinkMilliseconds
}
