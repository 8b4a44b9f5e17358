import type { Handoff } from '#web/capture/machine/handoff-place.ts'
import type { Context, Situation, StateOf } from '#web/capture/machine/state.ts'
import { byTheEnd } from '#web/wording/by-the-end.ts'
import { fill } from '#web/wording/fill.ts'
import type { Wording } from '#web/wording/wording.ts'
import { furtherTryLines } from './further-try-screen.tsx'
import { askOf, headingOf, patienceOf } from './heading.ts'

/**
 * The announcement when a screen appears, which is its heading if there is no other text. Every screen is announced.
 * [Note: Said once] Text that `alarmOf` announces is not repeated here.
 */
export function saidOf(situation: Situation, wording: Wording): string | undefined {
  const { state, context } = situation
  const { said } = wording
  if (alarmOf(situation, wording) !== undefined) return undefined
  switch (state.name) {
    case 'consent':
      return said.consent
    case 'ready':
      return said.ready
    case 'asking':
      return state.late ? wording.hint.addressBar : headingOf(state, wording)
    case 'action':
      return fill(said.step, {
        step: context.accepted + 1,
        of: context.plan?.challenge?.actionCount ?? 1,
        action: askOf(state.step, wording),
      })
    case 'paused':
      return said.paused
    case 'furtherTry':
      return saidOfFurtherTry(context, wording)
    case 'sending':
      if (state.phase === 'leaving') return headingOf(state, wording)
      if (state.late) return patienceOf(state, wording)
      if (state.phase === 'checking') return said.checking
      return state.share >= 0.5 ? said.half : said.sending
    case 'offline':
      return byTheEnd(said.offline, context, wording)
    case 'following':
      return saidOfOther(state.handoff, context, wording)
    case 'numberCheck':
      return `${wording.title.numberCheck} ${state.number}`
    case 'codeEntry':
      return state.wrong ? wording.text.codeWrong : headingOf(state, wording)
    case 'passkeyAsked':
    case 'passkeyOffered':
      return saidOfPasskey(state, context, wording)
    case 'handoff':
      return said.handoff
    case 'retake':
      return wording.retake[state.fault]
    case 'done':
      return state.late ? wording.text.waitingNetwork : headingOf(state, wording)
    default:
      return fill(headingOf(state, wording), { account: context.plan?.theme.accountName ?? '' })
  }
}

/** Sums up the whole screen ahead of the next button. */
function saidOfFurtherTry({ furtherTry: offered }: Context, wording: Wording): string {
  return [wording.furtherTry.title, ...furtherTryLines(offered, wording)].join(' ')
}

function saidOfPasskey(
  state: StateOf<'passkeyAsked' | 'passkeyOffered'>,
  { plan }: Context,
  wording: Wording,
): string {
  const { text } = wording
  if (state.phase === 'unused') return text.passkeyUnused
  const account = plan?.theme.accountName ?? ''
  return `${headingOf(state, wording)} ${fill(text[state.name], { account })}`
}

function saidOfOther({ phase, number, actionsDone }: Handoff, { plan }: Context, wording: Wording): string {
  const { title, text } = wording
  if (phase === 'checking') return title.checking
  if (phase === 'taken') return fill(text.following, { number: number ?? '' })
  const of = plan?.challenge?.actionCount ?? 0
  return of < 2 ? title.acting : `${title.acting}. ${fill(text.stepOf, { step: actionsDone, of })}`
}

/** An announcement that interrupts other speech. */
export function alarmOf({ state }: Situation, wording: Wording): string | undefined {
  if (state.name === 'timeOver') return headingOf(state, wording)
  const lost = state.name === 'cameraProblem' && (state.cause === 'stopped' || state.cause === 'noCamera')
  return lost ? headingOf(state, wording) : undefined
}
