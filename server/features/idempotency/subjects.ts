/** The persons and sessions named by a request and its response. */
export interface Subjects {
  readonly persons: readonly string[]
  readonly sessions: readonly string[]
}

const ofPersons: ReadonlySet<string> = new Set([
  'externalId',
  'externalIdentifier',
  'externalIdentifierOfDuplicate',
])

/** Collects every person and session in a value, using the interface's member names. */
export function subjectsIn(value: unknown): Subjects {
  const persons = new Set<string>()
  const sessions = new Set<string>()
  const look = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return
    for (const [name, inner] of Object.entries(at)) {
      if (typeof inner === 'string' && ofPersons.has(name)) persons.add(inner)
      if (typeof inner === 'string' && name === 'verificationSessionId') sessions.add(inner)
      look(inner)
    }
  }
  look(value)
  return { persons: [...persons], sessions: [...sessions] }
}
