import type { Situation } from '../session/state.ts'
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
      return said.offline
    case 'hold':
      return wording.title.hold
    case 'closing':
      return wording.title.closing
    case 'done':
      return state.after === 'request' ? wording.title.waiting : wording.title.done
    default:
      return undefined
  }
}

/** What interrupts whatever is being read. */
export function alarmOf({ state }: Situation, wording: Wording): string | undefined {
  if (state.name === 'timeOver') return wording.title.timeOver
  const lost = state.name === 'cameraProblem' && (state.cause === 'stopped' || state.cause === 'noCamera')
  return lost ? wording.cameraTitle[state.cause] : undefined
}
