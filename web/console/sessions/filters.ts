import * as v from 'valibot'
import { getSessions, idBeginning } from '#shared/contract/sessions/session-list.ts'

/** Filters that have the same name in the list and in the address. */
const filterNames = [
  'idBeginsWith',
  'verificationId',
  'outcome',
  'state',
  'verificationResult',
  'failedReason',
  'externalId',
  'correlationId',
  'kioskId',
  'source',
  'device',
  'browser',
  'reached',
  'createdFrom',
  'createdTo',
] as const
export type FilterName = (typeof filterNames)[number]
export type Filters = Readonly<Pick<v.InferInput<typeof getSessions.query>, FilterName>>

/** Reads the filters from an address. Invalid ones are ignored, so that old addresses still show something. */
export function readFilters(query: Readonly<Record<string, string>>): Filters {
  const { entries } = getSessions.query as unknown as { entries: Record<string, v.GenericSchema> }
  const pairs = filterNames.flatMap((name) => {
    const value = query[name]
    return value !== undefined && value !== '' && v.is(entries[name]!, value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(pairs) as Filters
}

/** Converts a date-time field's value from the viewer's time zone to the list's format. */
export function momentOf(local: string): string {
  const time = new Date(local).getTime()
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}

/** Converts a time back to such a field's value. */
export function localOf(moment: string | undefined): string {
  const time = Date.parse(moment ?? '')
  if (Number.isNaN(time)) return ''
  const offset = new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - offset).toISOString().slice(0, 16)
}

const sessionIdShape = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** Extracts an id prefix from text that was typed or pasted; empty if there are too few digits. */
export function beginningOf(typed: string): string {
  const digits = typed.trim().toLowerCase().replaceAll('-', '')
  const isOne = /^[0-9a-f]+$/.test(digits) && digits.length >= idBeginning.minimum
  return isOne ? digits.slice(0, idBeginning.maximum) : ''
}

/** Parses the id prefix field: empty if nothing was entered, undefined if the input is invalid. */
export function readBeginning(typed: string): string | undefined {
  return typed.trim() === '' ? '' : beginningOf(typed) || undefined
}

/** True for session ids. Searching for one opens its page; anything else is treated as an external or correlation id. */
export function isSessionId(sought: string): boolean {
  return sessionIdShape.test(sought.trim())
}
