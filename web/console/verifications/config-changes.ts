import type { Config } from './config-form.ts'

/** A member that differs: where it stands, and what it was and is, as JSON; null where it was or is not there. */
export interface ConfigChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** What differs between two configurations, member by member, in the order of the paths. */
export function changesBetween(before: Config, after: Config): readonly ConfigChange[] {
  const [was, is] = [membersOf(before), membersOf(after)]
  const paths = [...new Set([...was.keys(), ...is.keys()])].sort()
  return paths
    .map((path) => ({ path, before: was.get(path) ?? null, after: is.get(path) ?? null }))
    .filter((change) => change.before !== change.after)
}

/** Every single value with its path; a list is a value. */
function membersOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, JSON.stringify(value)]])
  const entries = Object.entries(value)
  if (entries.length === 0 && path !== '') return new Map([[path, '{}']])
  return new Map(
    entries.flatMap(([name, member]) => [...membersOf(member, path === '' ? name : `${path}.${name}`)]),
  )
}
