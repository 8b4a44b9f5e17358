import { canonicalIdentity } from '#shared/identity/identity-text.ts'

/**
 * External IDs by row. Uses memory only for rows that have one. [Note: One form in memory] IDs that were stored before
 * normalisation are converted to their canonical form, and found by it.
 */
export interface ExternalIds {
  set(row: number, externalId: string | null): void
  /** The last row takes the removed one's place. */
  remove(row: number, last: number): void
  of(row: number): string | null
  rowsOf(externalId: string): readonly number[]
}

export function createExternalIds(): ExternalIds {
  const byRow = new Map<number, string>()
  const rows = new Map<string, number[]>()

  function take(row: number): string | null {
    const externalId = byRow.get(row)
    if (externalId === undefined) return null
    byRow.delete(row)
    const left = rows.get(externalId)!.filter((other) => other !== row)
    if (left.length === 0) rows.delete(externalId)
    else rows.set(externalId, left)
    return externalId
  }

  function set(row: number, sent: string | null): void {
    if (sent === null) return
    const externalId = canonicalIdentity(sent)
    byRow.set(row, externalId)
    const others = rows.get(externalId)
    if (others === undefined) rows.set(externalId, [row])
    else others.push(row)
  }

  return {
    set,
    remove(row, last) {
      take(row)
      if (row !== last) set(row, take(last))
    },
    of: (row) => byRow.get(row) ?? null,
    rowsOf: (externalId) => rows.get(canonicalIdentity(externalId)) ?? [],
  }
}
