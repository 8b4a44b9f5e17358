import type { Movement } from '#models/rules/challenge/movement.ts'
import { type Strengths, strongestOfHead } from '#models/rules/challenge/strength.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { ChallengeMemory } from '../action-watch.ts'
import type { Candidate } from '../selection.ts'
import { thresholds } from '../thresholds.ts'

/** A turn to the opposite side of the requested one, within a step. Times are stream time in milliseconds. */
export interface WrongTurn {
  /** How many analyses in a row have shown it before it is noticed. */
  readonly beyond: number
  readonly noticedAt: number | null
  /**
   * `turned`: the head is on the wrong side. `leaving`: it is on its way to the requested side. `corrected`: it got there in time.
   * `counted`: it did not, or did something else.
   */
  readonly phase: 'none' | 'turned' | 'leaving' | 'corrected' | 'counted'
}

export const noWrongTurn: WrongTurn = { beyond: 0, noticedAt: null, phase: 'none' }

/** The opposite side of a requested turn; undefined for other actions, because only left and right are confused. */
function oppositeOf(action: Action): 'turnLeft' | 'turnRight' | undefined {
  if (action === 'turnLeft') return 'turnRight'
  return action === 'turnRight' ? 'turnLeft' : undefined
}

/** True while the person can still correct the turn. */
function isOpen({ phase }: WrongTurn): boolean {
  return phase === 'turned' || phase === 'leaving'
}

/**
 * Computes the next state. [Note: A wrong turn is corrected at once] People who mix up left and right turn back as soon as they notice or
 * read the hint, and go straight to the other side. A head that stays on the wrong side, comes back late or moves another way does not follow the page.
 */
export function watchWrongTurn(
  memory: WrongTurn,
  strengths: Strengths,
  at: number,
  action: Action,
): WrongTurn {
  const opposite = oppositeOf(action)
  if (opposite === undefined) return memory
  const limits = thresholds.wrongTurn
  const shown = strengths[opposite]
  if (memory.phase === 'none') {
    const beyond = shown >= limits.share ? memory.beyond + 1 : 0
    const isNoticed = beyond >= thresholds.action.analyses
    return isNoticed ? { beyond, noticedAt: at, phase: 'turned' } : { ...memory, beyond }
  }
  if (!isOpen(memory)) return memory
  const lasted = at - memory.noticedAt!
  const isAside = shown >= limits.leftShare
  if (memory.phase === 'turned' && isAside)
    return lasted >= limits.turnedMilliseconds ? { ...memory, phase: 'counted' } : memory
  if (strengths[action] >= limits.share) return { ...memory, phase: 'corrected' }
  const isOther = strongestOfHead(strengths, action) >= 1
  const isLate = lasted >= limits.correctedMilliseconds
  return { ...memory, phase: isOther || isLate ? 'counted' : 'leaving' }
}

/** Asks for a pardon. Each try has one: the second wrong turn is sent at once. */
export type Pardon = () => boolean

/**
 * Watches for a wrong turn in one step. [Note: Nothing is withdrawn] Until the person has corrected the turn, no picture of the step is
 * sent, so the first wrong turn of a try costs only its own time. Pictures of one that is not corrected are sent as those of any
 * other movement are. The film shows both.
 */
export function createWrongTurnWatch(action: Action, previous: Movement | null, pardon: Pardon) {
  const opposite = oppositeOf(action)
  let turn = noWrongTurn
  let isHeld = false
  let isForgiven = false
  let isReleased = false
  let isAside = false

  /** Returns the step's state, without the movement once it is forgiven. */
  const end = (memory: ChallengeMemory): ChallengeMemory => {
    const wasHeld = isHeld
    isHeld = false
    if (turn.phase === 'counted') {
      isReleased = wasHeld
      if (!isAside) turn = noWrongTurn
      return memory
    }
    turn = noWrongTurn
    if (!wasHeld) return memory
    isForgiven = true
    return { ...memory, other: null, strays: {} }
  }
  return {
    watch(before: ChallengeMemory, now: ChallengeMemory, at: number): ChallengeMemory {
      const { strengths, settled } = now
      isReleased = false
      if (strengths === null || opposite === undefined) return now
      isAside = strengths[opposite] >= thresholds.wrongTurn.leftShare
      // The head may still be on its way back from the previous turn.
      if (settled || previous !== opposite) turn = watchWrongTurn(turn, strengths, at, action)
      const isMade = now.other === opposite && before.other !== opposite
      if (isMade && turn.phase === 'turned') isHeld = pardon()
      return turn.phase === 'none' || isOpen(turn) ? now : end(now)
    },
    /** True while pictures have to wait until the turn is corrected. */
    isOpen: () => isOpen(turn),
    /** True if this analysis shows the head on the wrong side. */
    isAside: () => isAside,
    /** True if this analysis belongs to a turn that may still be forgiven. */
    isHeld: () => isHeld,
    /** True if the turn was not corrected, so that its pictures must be sent now. */
    isReleased: () => isReleased,
    hint: () => (isOpen(turn) || (turn.phase === 'counted' && isAside) ? ('otherWay' as const) : null),
    withoutForgiven: (all: readonly Candidate[]) =>
      isForgiven ? all.filter(({ isWrongTurn }) => isWrongTurn !== true) : all,
  }
}
