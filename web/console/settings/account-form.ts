import type * as v from 'valibot'
import { mostRadius, type updateAccount } from '#shared/contract/account/account.ts'
import { themeFonts, themeModes } from '#shared/contract/sessions/theme.ts'
import type { Account } from '#web/console/core/account.ts'

type Body = v.InferInput<NonNullable<(typeof updateAccount)['body']>>

/** The form values for the account settings. All fields are text. */
export interface AccountForm {
  readonly name: string
  readonly displayName: string
  readonly supportUrl: string
  /** Empty for the default. */
  readonly accent: string
  readonly radius: string
  readonly font: string
  readonly mode: string
  /** One origin per line. */
  readonly embedOrigins: string
  readonly attemptLimit: string
  readonly secondOpinionPercent: string
}

export function readAccount(account: Account): AccountForm {
  const { theme } = account
  return {
    name: account.name,
    displayName: account.displayName ?? '',
    supportUrl: account.supportUrl ?? '',
    accent: theme.accent ?? '',
    radius: theme.radius === null ? '' : String(theme.radius),
    font: theme.font ?? '',
    mode: theme.mode ?? '',
    embedOrigins: account.embedOrigins.join('\n'),
    attemptLimit: account.attemptLimit === null ? '' : String(account.attemptLimit),
    secondOpinionPercent: String(account.secondOpinionPercent),
  }
}

const colour = /^#[0-9a-f]{6}$/i

/** The account with the form's values, for the preview. Invalid values fall back to the saved ones. */
export function shownAccount(account: Account, form: AccountForm): Account {
  const { theme } = account
  const radius = Number(form.radius)
  const isRadius = Number.isInteger(radius) && radius >= 0 && radius <= mostRadius
  return {
    ...account,
    name: form.name.trim() || account.name,
    displayName: form.displayName.trim() || null,
    supportUrl: form.supportUrl.trim() || null,
    theme: {
      accent: form.accent === '' ? null : colour.test(form.accent) ? form.accent : theme.accent,
      radius: form.radius.trim() === '' ? null : isRadius ? radius : theme.radius,
      font: themeFonts.find((one) => one === form.font) ?? null,
      mode: themeModes.find((one) => one === form.mode) ?? null,
    },
  }
}

/** Only the members that changed, in the format of update-account, so that other people's changes are not undone. */
export function changesOf(before: AccountForm, after: AccountForm): Body {
  const changed = (name: keyof AccountForm) => before[name] !== after[name]
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
  const theme = {
    ...(changed('accent') && { accent: orNull(after.accent) }),
    ...(changed('radius') && { radius: numberOr(after.radius) }),
    ...(changed('font') && { font: orNull(after.font) }),
    ...(changed('mode') && { mode: orNull(after.mode) }),
  }
  return {
    ...(changed('name') && { name: after.name.trim() }),
    ...(changed('displayName') && { displayName: orNull(after.displayName) }),
    ...(changed('supportUrl') && { supportUrl: orNull(after.supportUrl) }),
    ...(changed('embedOrigins') && { embedOrigins: linesOf(after.embedOrigins) }),
    ...(changed('attemptLimit') && { attemptLimit: numberOr(after.attemptLimit) }),
    ...(changed('secondOpinionPercent') && {
      secondOpinionPercent: numberOr(after.secondOpinionPercent) ?? 0,
    }),
    ...(Object.keys(theme).length > 0 && { theme }),
  } as Body
}

/** A number, null for empty text, or otherwise the text itself, which the server will reject. */
function numberOr(text: string): number | string | null {
  if (text.trim() === '') return null
  return Number.isNaN(Number(text)) ? text.trim() : Number(text)
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
