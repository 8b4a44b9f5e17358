import { firstKnownLanguage } from '#shared/languages.ts'
import type { AnswerWording } from './answer-wording.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hi } from './hi.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { zh } from './zh.ts'

/** The languages that the check supports, so that the result page uses the same language as the visit. */
export const languages: ReadonlyMap<string, AnswerWording> = new Map(
  [ar, de, en, es, fr, hi, it, ja, nl, pl, pt, zh].map((wording) => [wording.locale, wording]),
)

/** The texts in the first preferred language that is available, or in English. */
export function answerWordingFor(wanted: readonly string[]): AnswerWording {
  return languages.get(firstKnownLanguage([...languages.keys()], wanted))!
}
