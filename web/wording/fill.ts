import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Plural, Wording } from './wording.ts'

/** Puts values in the places of a phrase; a place without a value stays visible. */
export function fill(phrase: string, values: Readonly<Record<string, string | number>>): string {
  return phrase.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** The phrase of a number in its plural form. */
export function count(locale: string, plural: Plural, n: number): string {
  const form = plural[new Intl.PluralRules(locale).select(n)] ?? plural.other
  return fill(form, { n: new Intl.NumberFormat(locale).format(n) })
}

/** A row of the consent; the account's own words have a direction of their own. */
interface ConsentRow {
  readonly term: string
  readonly text: string
  readonly isOwn?: boolean
}

/** The rows of the consent that this plan calls for. */
export function consentRows(wording: Wording, plan: CapturePlan): readonly ConsentRow[] {
  const { consent } = wording
  const { verifiers, evidence } = plan
  return [
    ...ownRows(wording, plan),
    evidence?.trail ? consent.filmed : consent.camera,
    consent.device,
    consent.sent,
    consent.kept,
    ...(verifiers.faceRecognition ? [consent.face] : []),
    ...(verifiers.age ? [consent.age] : []),
    ...(verifiers.gender ? [consent.gender] : []),
    ...(verifiers.emotion ? [consent.emotion] : []),
  ]
}

/** What the account says of the check itself: what it is for, and who answers for it. */
function ownRows({ consentTerms }: Wording, { privacy }: CapturePlan): readonly ConsentRow[] {
  return (['purpose', 'controller'] as const).flatMap((name) => {
    const text = privacy?.[name] ?? null
    return text === null ? [] : [{ term: consentTerms[name], text, isOwn: true }]
  })
}

/** [Note: Wording version] A hash of the very words that the person was shown, so that nobody has to keep a number. */
export async function wordingVersion(wording: Wording, plan: CapturePlan): Promise<string> {
  const { accountName: account, region } = plan.theme
  const rows = consentRows(wording, plan).map(
    ({ term, text }) => `${term}: ${fill(text, { account, region })}`,
  )
  const words = [wording.locale, fill(wording.title.consent, { account }), ...rows].join('\n')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(words))
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** What the server is told of the words that the person was shown. */
export async function shownWording(wording: Wording, plan: CapturePlan) {
  return { wordingVersion: await wordingVersion(wording, plan), locale: wording.locale }
}
