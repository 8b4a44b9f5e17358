import type { NextStep } from '#shared/contract/sessions/session.ts'
import type { State, StateOf } from '#web/capture/machine/state.ts'
import { isSurrounding } from '#web/wording/findings.ts'
import type { Wording } from '#web/wording/wording.ts'

/** A screen's heading, which may contain `{account}`. The live region announces it if there is no other text. */
export function headingOf(state: State, wording: Wording): string {
  const { title } = wording
  switch (state.name) {
    case 'opening':
      if (state.checking) return title.checking
      return state.slow ? title.openingSlow : title.opening
    case 'linkProblem':
      return wording.linkTitle[state.problem]
    case 'cameraProblem':
      if (isSurrounding(state.cause)) return wording.surroundings[state.cause].title
      return wording.cameraTitle[state.cause === 'wrongFile' ? 'notLoaded' : state.cause]
    case 'starting':
      if (state.camera) return wording.loading.title
      return state.slow ? wording.surroundings.noPicture.title : title.starting
    case 'action':
      return askOf(state.step, wording)
    case 'closing':
      return state.asked ? title.closing : title.done
    case 'done':
      return state.after === 'request' ? title.waiting : title.done
    case 'sending':
      if (state.phase === 'leaving') return wording.text.leaving
      return state.phase === 'checking' ? title.checking : title.sending
    case 'furtherTry':
      return wording.furtherTry.title
    case 'following':
      return followingHeading(state, wording)
    case 'moved':
      return state.refused ? title.declined : title.moved
    default:
      return title[state.name]
  }
}

/** The text for an action. Sizes are drawn; the text says whether to move closer or back, depending on the current size. */
export function askOf({ action, size }: Pick<NextStep, 'action' | 'size'>, wording: Wording): string {
  return size === undefined ? wording.action[action] : wording.title.align
}

/** A note next to the heading when sending takes long. It does not mention checking until everything has been sent. */
export function patienceOf({ phase }: StateOf<'sending'>, { text }: Wording): string {
  return phase === 'checking' ? text.stillChecking : text.staysOpen
}

function followingHeading({ handoff: { phase } }: StateOf<'following'>, { title }: Wording): string {
  if (phase === 'taken') return title.following
  return phase === 'acting' ? title.acting : title.checking
}
