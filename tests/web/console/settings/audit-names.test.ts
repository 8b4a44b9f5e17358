import { describe, expect, test } from 'vitest'
import { catalogue } from '#shared/contract/catalogue.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { operationName, outcomeName, resourceName } from '#web/console/settings/audit-names.ts'
import { languageNames, loadConsoleWording } from '#web/console/wording/console-languages.ts'

/** Every name that the log can contain, for calls and for the server's own actions. */
const recorded = [
  ...Object.values({ ...catalogue, console: consoleCatalogue } as Record<string, Record<string, Endpoint>>)
    .flatMap((endpoints) => Object.entries(endpoints))
    .flatMap(([name, { audit }]) => (audit === 'recorded' ? [name] : [])),
  'completeSession',
  'expireSession',
  'findRevokedDevice',
]

describe.each(Object.keys(languageNames))('the audit log in %s', (language) => {
  test('has a text for every possible name', async () => {
    const words = await loadConsoleWording(language)
    expect(recorded.length).toBeGreaterThan(50)
    const own = Object.values(words.operation)
    expect(recorded.filter((name) => !own.includes(operationName(name, words)))).toEqual([])
    const said = recorded.map((name) => operationName(name, words))
    expect(new Set(said).size).toBe(new Set(recorded).size)
  })

  test('describes an unknown name with the name itself', async () => {
    const words = await loadConsoleWording(language)
    expect(operationName('archiveAuditLog', words)).toBe('Archive audit log')
    expect(operationName('constructor', words)).toBe('Constructor')
    expect(resourceName('shelfId', words)).toBe('Shelf id')
    expect(outcomeName('succeeded', words)).toBe(words.audit.succeeded)
    expect(outcomeName('limit_reached', words)).toBe(words.problem.code.limit_reached.title)
    expect(outcomeName('never_heard_of', words)).toBe('Never heard of')
  })
})
