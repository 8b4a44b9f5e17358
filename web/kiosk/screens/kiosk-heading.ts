import { type OutcomeTexts, outcomeTextIn } from '#shared/contract/configuration/kiosk-config.ts'
import type { AnswerKind, KioskState } from '#web/kiosk/core/state.ts'
import type { KioskWords } from '#web/kiosk/wording/kiosk-wording.ts'

/** A kiosk screen's heading. During a visit, the capture page provides its own. */
export function kioskHeadingOf(
  state: Exclude<KioskState, { readonly name: 'visit' }>,
  words: KioskWords,
  texts?: OutcomeTexts,
): string {
  const { title } = words.kiosk
  if (state.name === 'closed') return title[state.cause]
  return state.name === 'answer' ? answerWords(state.answer, words, texts).title : title[state.name]
}

/** The end of a visit, as the operator's texts call it. */
const outcomes = { passed: 'passed', staff: 'failed', later: 'saved' } as const

/** The heading and the sentence for the end of a visit: the operator's, or the product's if there are none. */
export function answerWords(
  answer: AnswerKind,
  { page, kiosk }: KioskWords,
  texts: OutcomeTexts | undefined,
): { readonly title: string; readonly text?: string | undefined } {
  if (answer === 'nothing') return { title: page.title.declined, text: page.text.nothingKept }
  if (answer === 'notKept') return { title: kiosk.title.notKept, text: kiosk.text.notKept }
  const own = outcomeTextIn(texts, outcomes[answer], kiosk.locale)
  const title = answer === 'passed' ? page.title.passed : kiosk.title[answer]
  return own ?? { title, text: kiosk.text[answer] }
}
