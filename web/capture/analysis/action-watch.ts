import { actionLimits, backShare } from '#models/rules/challenge/action-limits.ts'
import { type Movement, movements, turnsTheHead } from '#models/rules/challenge/movement.ts'
import type { Rest } from '#models/rules/challenge/rest.ts'
import { isBack, type Strengths, strengthsOf } from '#models/rules/challenge/strength.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { ActingHint } from '#web/wording/findings.ts'
import type { Analysis } from '#workers/api.ts'
import { thresholds } from './thresholds.ts'

/** The requested action and the one before it. What remains of the previous action is ignored at first. */
export interface Ask {
  readonly action: Action
  readonly neutral: Rest
  readonly previous: Movement | null
}

/** The watcher's state during one step. Times are stream time in milliseconds. */
export interface ChallengeMemory {
  readonly startedAt: number | null
  /** True once the person has looked straight ahead in this step, or has had time to. */
  readonly settled: boolean
  /** How many analyses in a row have exceeded the requested action's threshold. */
  readonly beyond: number
  readonly closedAt: number | null
  readonly eyesWereClosed: boolean
  readonly done: boolean
  /** For each other movement, how many analyses in a row have shown it and when it began. */
  readonly strays: Partial<Record<Movement, { count: number; since: number }>>
  /** The first other movement that was clearly made before the requested one, of the head if there is one. */
  readonly other: Movement | null
  /** How strongly the requested action is currently being performed. */
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

/** Computes the next state of the step. Pure: it depends only on the analyses and their times. */
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

/** True if the person has gone further than needed. */
function isFarEnough({ strengths }: ChallengeMemory): boolean {
  if (strengths === null) return false
  const share = thresholds.action.turnFarEnough / actionLimits.turnDegrees
  return Math.max(strengths.turnLeft, strengths.turnRight) > share
}

const unmoved: Readonly<Record<Action, ActingHint>> = {
  turnLeft: 'headStraight',
  turnRight: 'headStraight',
  lookUp: 'chinLevel',
  blink: 'eyesOpen',
  smile: 'noSmile',
  comeCloser: 'notCloser',
}

/** The hint for an unfinished action: it is overdone or, after a while, barely visible. Null if the person needs no hint. */
export function actingHintOf(memory: ChallengeMemory, action: Action, at: number): ActingHint | null {
  if (isFarEnough(memory)) return 'farEnough'
  const { afterMilliseconds, share } = thresholds.unmoved
  const isStuck =
    memory.strengths !== null && memory.strength < share && at - (memory.startedAt ?? at) >= afterMilliseconds
  return isStuck ? unmoved[action] : null
}

/** The action must last for a while, because the server treats an answer that arrives too early as a recording. */
function reach(memory: ChallengeMemory, at: number): ChallengeMemory {
  const beyond = memory.strength >= 1 ? memory.beyond + 1 : 0
  const long = at - (memory.startedAt ?? at) >= thresholds.action.leastMilliseconds
  return { ...memory, beyond, done: long && beyond >= thresholds.action.analyses }
}

/** Requires the eyes to stay closed for a while and then open again, which neither a camera shutter nor a nap can imitate. */
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
  // The server ignores smiles and blinks, so a head movement after one of them must still be noticed.
  if (memory.other !== null && turnsTheHead(memory.other)) return memory
  const excused = memory.settled ? null : ask.previous
  const strays: ChallengeMemory['strays'] = {}
  let { other } = memory
  for (const movement of movements) {
    if (movement === ask.action || movement === 'comeCloser' || movement === excused) continue
    if (strengths[movement] < plainShare(movement)) continue
    const known = memory.strays[movement]
    const stray = { count: (known?.count ?? 0) + 1, since: known?.since ?? at }
    strays[movement] = stray
    if (stray.count < thresholds.action.analyses || !longEnough(movement, at - stray.since)) continue
    if (other === null || (turnsTheHead(movement) && !turnsTheHead(other))) other = movement
  }
  return { ...memory, strays, other }
}

function plainShare(movement: Movement): number {
  return movement === 'smile' ? thresholds.plainSmileShare : 1
}

function longEnough(movement: Movement, lasted: number): boolean {
  return movement !== 'blink' || lasted >= thresholds.deliberateBlinkMilliseconds
}
