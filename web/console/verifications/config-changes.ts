import type { Config } from './config-form.ts'

/** A changed member, with its path and its old and new values as JSON; null if absent. */
export interface ConfigChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** The differences between two configurations, one per member, sorted by path. */
export function changesBetween(before: Config, after: Config): readonly ConfigChange[] {
  const [was, is] = [membersOf(before), membersOf(after)]
  const paths = [...new Set([...was.keys(), ...is.keys()])].sort()
  return paths
    .map((path) => ({ path, before: was.get(path) ?? null, after: is.get(path) ?? null }))
    .filter((change) => change.before !== change.after)
}

/** All values with their paths. A list counts as a single value. */
function membersOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, JSON.stringify(value)]])
  const entries = Object.entries(value)
  if (entries.length === 0 && path !== '') return new Map([[path, '{}']])
  return new Map(
    entries.flatMap(([name, member]) => [...membersOf(member, path === '' ? name : `${path}.${name}`)]),
  )
}
