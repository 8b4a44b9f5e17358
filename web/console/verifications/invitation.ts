import type { PageLanguage } from '#shared/contract/configuration/words-by-language.ts'
import { fill } from '#web/wording/fill.ts'
import { timeFormat } from '#web/wording/formatters.ts'
import type { InvitationText } from './invitation-texts.ts'

/** A link, the account that requests the check, and the link's expiry in milliseconds since 1970. */
export interface Invitation {
  readonly account: string
  readonly link: string
  readonly until: number
}

export interface Message {
  readonly subject: string
  readonly body: string
}

/** Writes the message for a link in the given language. */
export function messageOf(
  { account, link, until }: Invitation,
  text: InvitationText,
  language: PageLanguage,
  timeZone?: string,
): Message {
  const time = timeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(until)
  return { subject: fill(text.subject, { account }), body: fill(text.body, { account, link, time }) }
}

/** A mailto address that contains the message. [Note: Nothing is sent from here] The operator picks the recipient in their mail program. */
export function mailAddress({ subject, body }: Message): string {
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`
}

/** An SMS address that contains the message. Phones disagree on the separator, so it contains both. */
export function textAddress({ body }: Message): string {
  return `sms:?&body=${encodeURIComponent(body)}`
}
