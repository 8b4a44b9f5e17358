import type { SessionStanding } from '#server/features/sessions/records/session-row.ts'

/** Lets entries share one object for equal values. */
export interface SharedValues {
  name(text: string | null): string | null
  standing(value: SessionStanding): SessionStanding
}

/**
 * [Note: Sessions share equal values] Each row is parsed separately, with its own copies of the verification ID and the
 * state, which make up a third of an entry. A register has few distinct values for either.
 */
export function createSharedValues(): SharedValues {
  const names = new Map<string, string>()
  const standings = new Map<string, SessionStanding>()
  return {
    name(text) {
      if (text === null) return null
      const known = names.get(text) ?? text
      names.set(known, known)
      return known
    },
    standing(value) {
      const { state, result, reasons, outcome, review, doubt, came, assignedTo } = value
      const key = `${state} ${result} ${reasons?.join('+')} ${outcome} ${review} ${doubt} ${came} ${assignedTo}`
      const known = standings.get(key) ?? value
      standings.set(key, known)
      return known
    },
  }
}

/** Used for an entry that is examined only once. */
export const ownValues: SharedValues = { name: (text) => text, standing: (value) => value }
