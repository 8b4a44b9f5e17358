import * as v from 'valibot'
import { getSessions, idBeginning } from '#shared/contract/sessions/session-list.ts'

/** Filters of the list that stand in the address under their own names. */
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

/** The filters of an address; what the list would refuse is left out, so that an old address still shows something. */
export function readFilters(query: Readonly<Record<string, string>>): Filters {
  const { entries } = getSessions.query as unknown as { entries: Record<string, v.GenericSchema> }
  const pairs = filterNames.flatMap((name) => {
    const value = query[name]
    return value !== undefined && value !== '' && v.is(entries[name]!, value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(pairs) as Filters
}

/** A moment as the list wants it, from what a field for a day and an hour says in the viewer's zone. */
export function momentOf(local: string): string {
  const time = new Date(local).getTime()
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}

/** What such a field shows for a moment. */
export function localOf(moment: string | undefined): string {
  const time = Date.parse(moment ?? '')
  if (Number.isNaN(time)) return ''
  const offset = new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - offset).toISOString().slice(0, 16)
}

const sessionIdShape = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** The beginning of an id as the list takes it, of what somebody typed or pasted; empty where there are too few digits. */
export function beginningOf(typed: string): string {
  const digits = typed.trim().toLowerCase().replaceAll('-', '')
  const isOne = /^[0-9a-f]+$/.test(digits) && digits.length >= idBeginning.minimum
  return isOne ? digits.slice(0, idBeginning.maximum) : ''
}

/** What a field for the beginning of an id says: empty for none, undefined where it can be none. */
export function readBeginning(typed: string): string | undefined {
  return typed.trim() === '' ? '' : beginningOf(typed) || undefined
}

/** What is looked for: a session by its id goes to its page, all else is an external or a correlation id. */
export function isSessionId(sought: string): boolean {
  return sessionIdShape.test(sought.trim())
}
