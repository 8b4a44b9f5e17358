import type { Context, HandOff, Situation } from '../session/state.ts'
import { byTheEnd } from '../wording/by-the-end.ts'
import { fill } from '../wording/fill.ts'
import type { Wording } from '../wording/wording.ts'

/** What is read out when a screen appears, beside its heading; undefined where the heading says it all. */
export function saidOf({ state, context }: Situation, wording: Wording): string | undefined {
  const { said } = wording
  if (context.nearDeadline) return wording.text.nearDeadline
  switch (state.name) {
    case 'consent':
      return said.consent
    case 'ready':
      return said.ready
    case 'asking':
      return state.late ? wording.hint.addressBar : undefined
    case 'action':
      return fill(said.step, {
        step: context.accepted + 1,
        of: context.plan?.challenge?.actionCount ?? 1,
        action: wording.action[state.step.action],
      })
    case 'paused':
      return said.paused
    case 'sending':
      if (state.late) return wording.text.stillChecking
      if (state.phase === 'checking') return said.checking
      return state.share >= 0.5 ? said.half : said.sending
    case 'offline':
      return byTheEnd(said.offline, context, wording)
    case 'following':
      return saidOfOther(state.handOff, context, wording)
    case 'numberCheck':
      return `${wording.title.numberCheck} ${state.number}`
    case 'codeEntry':
      return state.wrong ? wording.text.codeWrong : undefined
    case 'handOff':
      return said.handOff
    case 'hold':
      return wording.title.hold
    case 'closing':
      return wording.title.closing
    case 'done':
      if (state.late) return wording.text.waitingNetwork
      return state.after === 'request' ? wording.title.waiting : wording.title.done
    default:
      return undefined
  }
}

function saidOfOther({ phase, number, actionsDone }: HandOff, { plan }: Context, wording: Wording): string {
  const { title, text } = wording
  if (phase === 'checking') return title.checking
  if (phase === 'taken') return fill(text.following, { number: number ?? '' })
  const of = plan?.challenge?.actionCount ?? 0
  return of < 2 ? title.acting : `${title.acting}. ${fill(text.stepOf, { step: actionsDone, of })}`
}

/** What interrupts whatever is being read. */
export function alarmOf({ state }: Situation, wording: Wording): string | undefined {
  if (state.name === 'timeOver') return wording.title.timeOver
  const lost = state.name === 'cameraProblem' && (state.cause === 'stopped' || state.cause === 'noCamera')
  return lost ? wording.cameraTitle[state.cause] : undefined
}
