import type { NextStep } from '#shared/contract/sessions/session.ts'
import type { State, StateOf } from '#web/capture/machine/state.ts'
import type { Wording } from '#web/wording/wording.ts'

/** The heading of a screen; it may have a place for `{account}`. The live region speaks it where nothing else is to be said. */
export function headingOf(state: State, wording: Wording): string {
  const { title } = wording
  switch (state.name) {
    case 'opening':
      if (state.checking) return title.checking
      return state.slow ? title.openingSlow : title.opening
    case 'linkProblem':
      return wording.linkTitle[state.problem]
    case 'cameraProblem':
      return wording.cameraTitle[state.cause === 'wrongFile' ? 'notLoaded' : state.cause]
    case 'starting':
      return state.camera ? wording.loading.title : title.starting
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

/** What an action asks for, in words. A size is drawn; whether to come or go is said as the face is seen. */
export function askOf({ action, size }: Pick<NextStep, 'action' | 'size'>, wording: Wording): string {
  return size === undefined ? wording.action[action] : wording.title.align
}

/** What is said next to the heading where sending takes long; never of checking before all is sent. */
export function patienceOf({ phase }: StateOf<'sending'>, { text }: Wording): string {
  return phase === 'checking' ? text.stillChecking : text.staysOpen
}

function followingHeading({ handoff: { phase } }: StateOf<'following'>, { title }: Wording): string {
  if (phase === 'taken') return title.following
  return phase === 'acting' ? title.acting : title.checking
}
