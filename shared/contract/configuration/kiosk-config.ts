import * as v from 'valibot'
import { identityRule, mostCodePoints } from '../identity.ts'
import { knownNamesAlone, section } from '../sections.ts'
import { type PageLanguage, pageLanguages } from './words-by-language.ts'

/** How a visit at a kiosk ends for the person: with either answer, or saved for the server to judge later. */
export const kioskOutcomes = ['passed', 'failed', 'saved'] as const
export type KioskOutcome = (typeof kioskOutcomes)[number]

/** The maximum length of a title or a text, in characters. */
export const outcomeTextMaximum = 120

const line = (meaning: string) =>
  v.pipe(
    v.string(),
    v.minLength(1, 'Must not be empty.'),
    identityRule,
    mostCodePoints(outcomeTextMaximum),
    v.description(meaning),
  )

const words = (language: string) =>
  v.optional(
    v.pipe(
      knownNamesAlone({
        title: line('The heading, as plain text.'),
        text: v.optional(line('The sentence below it, as plain text; none if absent.')),
      }),
      v.description(`For people who chose \`${language}\`.`),
    ),
  )

const byLanguage = Object.fromEntries(pageLanguages.map((one) => [one, words(one)])) as Record<
  PageLanguage,
  ReturnType<typeof words>
>

const outcome = (when: string) =>
  v.optional(
    v.pipe(
      knownNamesAlone(byLanguage),
      v.description(
        `Shown ${when}, by language. A language without a text takes \`en\`; without that, the kiosk has words of its own.`,
      ),
    ),
  )

/** The operator's own words for each end of a visit, by language. */
export const outcomeTexts = v.pipe(
  knownNamesAlone({
    passed: outcome('to a person who passed'),
    failed: outcome('to a person who did not pass, whatever the reason'),
    saved: outcome('if only the server can decide, once the check has been sent'),
  }),
  v.description('What a kiosk says at the end of a visit.'),
)
export type OutcomeTexts = v.InferOutput<typeof outcomeTexts>

/** The words that a person reads at the end, or undefined if the operator wrote none for them. */
export function outcomeTextIn(
  texts: OutcomeTexts | undefined,
  of: KioskOutcome,
  language: string,
): { readonly title: string; readonly text?: string | undefined } | undefined {
  const written = texts?.[of]
  const known = pageLanguages.find((one) => one === language)
  return (known && written?.[known]) ?? written?.en
}

/** [Note: Ours] */
export const kioskConfig = section({ outcomeTexts: v.optional(outcomeTexts) })
