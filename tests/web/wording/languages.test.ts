import { expect, test, vi } from 'vitest'
import { loadWording } from '#web/wording/languages.ts'

vi.mock('#web/wording/de.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

test('a language whose file the network loses is replaced by English', async () => {
  expect((await loadWording('de')).locale).toBe('en')
  expect((await loadWording('fr')).locale).toBe('fr')
})
