import { describe, expect, test } from 'vitest'
import type { Account, KioskRecord } from '#server/features/callers/callers.ts'
import { configurationOf } from '#server/features/kiosks/configuration.ts'

const account = { name: 'Northwind', accentColour: null, logo: null } as Account
const kiosk = { name: 'door', locale: null, verificationId: 'v' } as KioskRecord
const configured = { verificationId: 'v', verificationConfig: { verifierConfigs: {} } }

function planOf(of: Account) {
  return configurationOf(kiosk, of, configured as never, 'eu' as never).capturePlan
}

describe('the configuration of a kiosk', () => {
  test('marks a test account; a live one is not marked', () => {
    expect(planOf({ ...account, testOf: 'live' }).test).toEqual({ outcome: null })
    expect(planOf(account)).not.toHaveProperty('test')
  })

  test('has the theme of the account, and its name for visitors', () => {
    const look = { radius: 4, font: 'serif', mode: 'dark' } as const
    const { theme } = planOf({ ...account, displayName: 'The Harbour', look })
    expect(theme).toMatchObject({ accountName: 'The Harbour', ...look })
  })

  test('has the words that the verification gives for the ends of a visit, and none otherwise', () => {
    const outcomeTexts = { saved: { en: { title: 'Go in, we check later' } } }
    const worded = { ...configured, verificationConfig: { kioskConfig: { outcomeTexts } } }
    const textsOf = (given: object) =>
      configurationOf(kiosk, account, given as never, 'eu' as never).outcomeTexts
    expect(textsOf(worded)).toEqual(outcomeTexts)
    expect(textsOf(configured)).toBeUndefined()
  })
})
