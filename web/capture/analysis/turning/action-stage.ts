import type { Movement } from '#models/rules/challenge/movement.ts'
import type { Rest } from '#models/rules/challenge/rest.ts'
import { strengthsOf } from '#models/rules/challenge/strength.ts'
import type { NextStep } from '#shared/contract/sessions/session.ts'
import type { Analysis } from '#workers/api.ts'
import { actingHintOf, noChallenge, watchAction } from '../action-watch.ts'
import { notComing, watchComingBack } from '../coming-back.ts'
import { actingHints, guide, noGuidance } from '../guidance.ts'
import { selectPeak, selectStep, unsent } from '../selection.ts'
import { meritOf, type StageAnswer, type StageWatch } from '../stages.ts'
import { thresholds as t } from '../thresholds.ts'
import { createTurnPictures } from './turn-pictures.ts'
import { createWrongTurnWatch, type Pardon } from './wrong-turn.ts'

/** The person's state when an action is requested. */
export interface ActionStart {
  readonly neutral: Rest
  readonly previous: Movement | null
  readonly pardon: Pardon
}

/**
 * One requested action. Anything the person does instead is kept as well. The return is part of the stage only while a picture that
 * the server compares is still missing.
 */
export function actionStage(
  { action, timeLimitInSeconds }: NextStep,
  room: number,
  { neutral, previous, pardon }: ActionStart,
): StageWatch {
  let guidance = noGuidance
  let memory = noChallenge
  let back = notComing
  const wanted = createTurnPictures(action, room)
  const wrong = createWrongTurnWatch(action, previous, pardon)
  let early = 0
  const comeBack = (analysis: Analysis, at: number): StageAnswer => {
    const { mostMilliseconds, spareMilliseconds } = t.comingBack
    const doneAt = back.startedAt ?? at
    const left = timeLimitInSeconds * 1000 - (doneAt - memory.startedAt!) - spareMilliseconds
    back = watchComingBack(back, analysis, at, { neutral, longest: Math.min(mostMilliseconds, left) })
    const { strayed, strayStrength, over } = back
    const merit = meritOf(analysis)
    const onTheWay = { hint: null, progress: 1, urgent: true }
    if (strayed) return { ...onTheWay, done: over, keep: { strength: strayStrength, merit, stray: true } }
    const strength = strengthsOf(analysis, neutral)?.[action]
    const isTaken = strength !== undefined && wanted.takes(strength, at)
    const done = over || wanted.areAllTaken()
    return { ...onTheWay, done, ...(isTaken && { keep: { strength, merit, stray: false } }) }
  }
  return {
    select: (all) =>
      unsent(wrong.withoutForgiven(all), (left, sent) =>
        sent === 0 ? selectStep(left, room) : selectPeak(left, Math.max(1, room - sent)),
      ),
    crowded: () => guidance.crowded,
    watch(analysis, at) {
      if (memory.done) return comeBack(analysis, at)
      const before = memory
      guidance = guide(guidance, analysis, at, actingHints)
      memory = wrong.watch(before, watchAction(memory, analysis, at, { action, neutral, previous }), at)
      const { strength, strengths, other, done } = memory
      const otherStrength = other === null ? 0 : (strengths?.[other] ?? 0)
      const stray = otherStrength >= 1 && otherStrength > strength
      const keep = {
        strength: stray ? otherStrength : strength,
        merit: meritOf(analysis),
        stray,
        ...(stray && wrong.isHeld() && { isWrongTurn: true }),
      }
      const isUsable = analysis.face !== undefined && !stray && !wrong.isAside() && !wrong.isOpen()
      const isWanted = isUsable && (wanted.takes(strength, at) || wanted.takesAgain(strength, at))
      const isNews = other !== null && before.other !== other
      // A movement that was not requested is sent as well; otherwise a later picture would leave it behind. Room for the action itself remains.
      const sure = (isWanted || (isNews && !wrong.isHeld())) && !done && early < room - 1
      const release = wrong.isReleased() && early < room - 1
      if (sure || release) early++
      const isKept = analysis.face !== undefined && (stray || !wrong.isOpen() || !wrong.isAside())
      return {
        hint: guidance.shown ?? wrong.hint() ?? actingHintOf(memory, action, at),
        progress: Math.min(1, strength),
        acted: done && !wanted.areAllTaken(),
        done: done && wanted.areAllTaken(),
        sure,
        release,
        urgent: strength >= 1 || isNews || isWanted,
        ...(isKept && { keep }),
      }
    },
  }
}
