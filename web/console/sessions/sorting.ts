import { assurances } from '#shared/contract/configuration/check-settings.ts'
import { isVerdict } from '#shared/contract/sessions/session-ending.ts'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** The columns that rows can be sorted by, besides the default order. */
export const sortings = ['time', 'person', 'result', 'verification', 'assurance', 'tries', 'took'] as const
export type Sorting = (typeof sortings)[number]

/** A column and a direction. */
export interface Order {
  readonly by: Sorting
  readonly isDescending: boolean
}

/** Parses an order from the address: `person`, or `-person` for descending. Undefined for the default order. */
export function readOrder(text: string | undefined): Order | undefined {
  const by = sortings.find((one) => one === text?.replace(/^-/, ''))
  return by === undefined ? undefined : { by, isDescending: text!.startsWith('-') }
}

export function orderText({ by, isDescending }: Order): string {
  return isDescending ? `-${by}` : by
}

/** The order after a click on a column header, which cycles through ascending, descending and default. */
export function nextOrder(order: Order | undefined, by: Sorting): Order | undefined {
  if (order?.by !== by) return { by, isDescending: false }
  return order.isDescending ? undefined : { by, isDescending: true }
}

type Value = string | number | null

const values: Readonly<Record<Sorting, (session: ListedSession) => Value>> = {
  time: ({ createdAt }) => Date.parse(createdAt),
  person: ({ externalId }) => externalId,
  result: ({ outcome }) => outcome,
  verification: ({ verificationName, verificationId }) => verificationName ?? verificationId,
  assurance: ({ assurance }) => (assurance === null ? null : assurances.indexOf(assurance)),
  tries: ({ tries }) => tries,
  took: secondsOf,
}

/** The duration of a visit in seconds; null if no pictures were judged, because its end then only shows a time limit. */
export function secondsOf({
  createdAt,
  completedAt,
  outcome,
}: Pick<ListedSession, 'createdAt' | 'completedAt' | 'outcome'>): number | null {
  if (completedAt === null || !isVerdict(outcome)) return null
  return (Date.parse(completedAt) - Date.parse(createdAt)) / 1000
}

/** Sorts the rows. Missing values come last in both directions, and equal rows keep their order. */
export function sorted(
  rows: readonly ListedSession[],
  order: Order | undefined,
  locale: string,
): readonly ListedSession[] {
  if (order === undefined) return rows
  const read = values[order.by]
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const direction = order.isDescending ? -1 : 1
  return [...rows].sort((a, b) => {
    const [one, other] = [read(a), read(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    const difference =
      typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other))
    return direction * difference
  })
}
