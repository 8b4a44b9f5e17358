import { expect, test } from 'vitest'
import { runStore } from '#server/app/migrating/run-store.ts'

test.each([
  [['migrat'], 'There is no command "migrat".'],
  [['migrate', 'now'], 'There are too many arguments.'],
])('%j is a usage error that names the help, and reads no settings', async (words, fault) => {
  const told: string[] = []
  const settings = () => {
    throw new Error('settings were read')
  }
  const io = { write: () => undefined, error: (line: string) => void told.push(line) }
  expect(await runStore(words, settings, io)).toBe(2)
  expect(told).toEqual([`${fault}\nUsage: npm run store -- help`])
})
