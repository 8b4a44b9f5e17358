import type { ConsoleWording } from '#web/console/wording/console-wording.ts'

type Names = Readonly<Record<string, string>>

/** What was done, in words. */
export function operationName(operation: string, { operation: names }: ConsoleWording): string {
  return nameIn(names, operation)
}

/** What it was done to. */
export function resourceName(resource: string, { resource: names }: ConsoleWording): string {
  return nameIn(names, resource)
}

/** How it ended: a code as problems are explained, where they are. */
export function outcomeName(outcome: string, { audit, problem }: ConsoleWording): string {
  if (outcome === 'succeeded') return audit.succeeded
  const explained = problem.code as Readonly<Record<string, { readonly title: string }>>
  return Object.hasOwn(explained, outcome) ? explained[outcome]!.title : readable(outcome)
}

/** [Note: A log outlives its program] A name that a newer or an older one wrote is still read as words. */
function nameIn(names: Names, name: string): string {
  return Object.hasOwn(names, name) ? names[name]! : readable(name)
}

/** `archiveAuditLog` and `limit_reached` as `Archive audit log` and `Limit reached`. */
function readable(name: string): string {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
