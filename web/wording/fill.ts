import { wordsIn } from '#shared/contract/configuration/words-by-language.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { numberFormat, pluralRules } from './formatters.ts'
import type { PluralPhrase, Wording } from './wording.ts'

/** Puts values in the places of a phrase; a place without a value stays visible. */
export function fill(phrase: string, values: Readonly<Record<string, string | number>>): string {
  return phrase.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** The phrase of a number in its plural form. */
export function count(locale: string, plural: PluralPhrase, n: number): string {
  const form = plural[pluralRules(locale).select(n)] ?? plural.other
  return fill(form, { n: numberFormat(locale).format(n) })
}

type PlacedPlan = Pick<CapturePlan, 'theme' | 'privacy' | 'history' | 'keeps'>

/** What the places of a phrase stand for in a plan. */
export function placesOf({ theme, privacy, history, keeps }: PlacedPlan): Record<string, string> {
  const { purpose = null, controller = null } = privacy ?? {}
  const days = history === undefined ? null : String(history.days)
  const hours = keeps === undefined ? null : String(keeps.hours)
  const said = Object.entries({ purpose, controller, days, hours }).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  )
  return { account: theme.accountName, region: theme.region, ...Object.fromEntries(said) }
}

/** The plan with the words that the integrator has for a language. */
export function spokenIn<P extends Pick<CapturePlan, 'privacy'>>(plan: P, language: string): P {
  const { privacy } = plan
  if (privacy?.purposes === undefined) return plan
  const purpose = wordsIn({ default: privacy.purpose ?? '', ...privacy.purposes }, language)
  return { ...plan, privacy: { ...privacy, purpose } }
}

/** The rows of the consent that this plan calls for. */
export function consentRows(
  { consent }: Wording,
  { verifiers, evidence, privacy, history, keeps }: CapturePlan,
) {
  return [
    ...(privacy?.purpose ? [consent.purpose] : []),
    ...(privacy?.controller ? [consent.controller] : []),
    evidence?.trail ? consent.filmed : consent.camera,
    consent.device,
    keeps === undefined ? consent.sent : consent.sentAndKept,
    evidence?.trail ? consent.keptSeen : consent.kept,
    ...(keeps === undefined ? [] : [keeps.pictures === 'all' ? consent.reviewedAll : consent.reviewed]),
    ...(history === undefined ? [] : [consent.listed]),
    ...(verifiers.faceRecognition ? [consent.face] : []),
    ...(verifiers.reference ? [consent.reference] : []),
    ...(verifiers.age ? [consent.age] : []),
    ...(verifiers.gender ? [consent.gender] : []),
    ...(verifiers.emotion ? [consent.emotion] : []),
  ]
}

export type ConsentRow = Wording['consent'][keyof Wording['consent']]

/** The rows of the consent, those first that everybody should read: what for, what is filmed, where it goes, and who sees pictures where some are kept. */
export function consentInShort(wording: Wording, plan: CapturePlan) {
  const { purpose, filmed, camera, sent, sentAndKept, reviewed, reviewedAll, kept, keptSeen } =
    wording.consent
  const rows: readonly ConsentRow[] = consentRows(wording, plan)
  const first = [purpose, filmed, camera, sent, sentAndKept, reviewed, reviewedAll, kept, keptSeen]
  const open = first.filter((row) => rows.includes(row)).slice(0, plan.keeps === undefined ? 3 : 4)
  return { open, folded: rows.filter((row) => !open.includes(row)) }
}

/** [Note: Wording version] A hash of the very words that the person was shown, so that nobody has to keep a number. */
export async function wordingVersion(wording: Wording, asked: CapturePlan): Promise<string> {
  const plan = spokenIn(asked, wording.locale)
  const rows = consentRows(wording, plan).map(({ term, text }) => `${term}: ${fill(text, placesOf(plan))}`)
  const words = [wording.locale, fill(wording.title.consent, placesOf(plan)), ...rows].join('\n')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(words))
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** What the server learns of the words that the person was shown. */
export async function shownWording(wording: Wording, plan: CapturePlan) {
  return { wordingVersion: await wordingVersion(wording, plan), locale: wording.locale }
}
