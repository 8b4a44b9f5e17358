import type { ConsoleWording } from '#web/console/wording/console-wording.ts'

type Names = Readonly<Record<string, string>>

/**
 * What was done, in words. [Note: A log outlives its program] The name is read as a phrase, which is translated where it is known: one that a newer or
 * an older program wrote is still read as words.
 */
export function operationName(operation: string, { operation: names }: ConsoleWording): string {
  const phrase = phraseOf(operation)
  return nameIn(names, phrase) ?? capital(phrase)
}

/** What it was done to. */
export function resourceName(resource: string, { resource: names }: ConsoleWording): string {
  return nameIn(names, resource) ?? capital(phraseOf(resource))
}

/** How it ended: a code as problems are explained, where they are. */
export function outcomeName(outcome: string, { audit, problem }: ConsoleWording): string {
  if (outcome === 'succeeded') return audit.succeeded
  const explained = problem.code as Readonly<Record<string, { readonly title: string }>>
  return Object.hasOwn(explained, outcome) ? explained[outcome]!.title : capital(phraseOf(outcome))
}

function nameIn(names: Names, name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined
}

/** `archiveAuditLog` and `limit_reached` as `archive audit log` and `limit reached`. */
function phraseOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

function capital(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1)
}
