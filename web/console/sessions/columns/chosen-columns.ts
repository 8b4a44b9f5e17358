import { unlessRefused } from '#web/ui/unless-refused.ts'

/** The columns that can be shown besides the time and the outcome. */
export const chooseable = [
  'person',
  'reasons',
  'verification',
  'took',
  'assurance',
  'source',
  'tries',
  'review',
  'assigned',
  'session',
] as const
export type ColumnName = (typeof chooseable)[number]

const place = 'console-columns'
const usual: readonly ColumnName[] = ['person', 'reasons', 'verification', 'took', 'review']

/** The columns that were chosen in this browser. */
export function readColumns(storage: Pick<Storage, 'getItem'>): readonly ColumnName[] {
  const stored = unlessRefused(() => JSON.parse(storage.getItem(place) ?? 'null') as unknown)
  return Array.isArray(stored) ? chooseable.filter((name) => stored.includes(name)) : usual
}

/** Stores the choice, if the browser allows it. */
export function writeColumns(storage: Pick<Storage, 'setItem'>, chosen: readonly ColumnName[]): void {
  unlessRefused(() => storage.setItem(place, JSON.stringify(chosen)))
}
