import { expect, test } from 'vitest'
import { firstAccountName } from '#shared/contract/account/display-name.ts'
import { checkOf, themeOfAccount } from '#web/console/preview/preview-plan.ts'
import { readAccount, shownAccount } from '#web/console/settings/account-form.ts'

const account = {
  accountId: 'a',
  name: 'Northwind',
  created: '2026-01-01T00:00:00.000Z',
  environment: 'live' as const,
  primaryKeyId: 'k',
  webhookCarriesKey: false,
  accentColour: '#112233',
  logo: null,
  embedOrigins: [],
  attemptLimit: null,
  defaultTokenScope: null,
  displayName: null,
  supportUrl: 'https://northwind.example/help',
  theme: { accent: '#112233', radius: 4, font: null, mode: 'dark' as const },
}
const theme = themeOfAccount(account, 'EU')

test('the theme is that of the account, without what it leaves to the house', () => {
  expect(theme).toEqual({
    accountName: 'Northwind',
    accentColour: '#112233',
    logo: null,
    region: 'EU',
    supportUrl: 'https://northwind.example/help',
    radius: 4,
    mode: 'dark',
  })
})

test('an account that nobody named is called as visitors meet it', () => {
  expect(themeOfAccount({ ...account, name: firstAccountName }, 'EU').accountName).toBe('Selfsame')
})

test('what is written in the form is looked at before it is saved, and what is no value is not', () => {
  const form = { ...readAccount(account), displayName: 'Shop', accent: '#445566', radius: '', mode: '' }
  expect(themeOfAccount(shownAccount(account, form), 'EU')).toEqual({
    accountName: 'Shop',
    accentColour: '#445566',
    logo: null,
    region: 'EU',
    supportUrl: 'https://northwind.example/help',
  })
  const odd = shownAccount(account, { ...form, accent: '#44', radius: '33', font: 'wingdings' })
  expect(odd.theme).toEqual({ accent: '#112233', radius: 4, font: null, mode: null })
})

test('a configuration says what is met, and a test account says so too', () => {
  const config = {
    verifierConfigs: { age: { type: 'CalculationOnly' } },
    redirectConfig: { passedUrl: 'https://shop.example/yes' },
    privacyConfig: { controller: 'Shop Ltd' },
    retryConfig: { attempts: 1 },
  } as const
  const live = checkOf(config, theme, 'live')
  expect(live).toMatchObject({ tries: 1, passedUrl: 'https://shop.example/yes', failedUrl: null })
  expect(live?.plan.verifiers.age).toBe(true)
  expect(live?.plan.privacy?.controller).toBe('Shop Ltd')
  expect(live?.plan).not.toHaveProperty('test')
  expect(checkOf(config, theme, 'test')?.plan.test).toEqual({ outcome: null })
})

test('what the server would refuse is not shown', () => {
  expect(checkOf({ verifierConfigs: { age: { type: 'Older' } } } as never, theme, 'live')).toBeUndefined()
  expect(checkOf({ redirectConfig: { passedUrl: 'http://shop.example' } }, theme, 'live')).toBeUndefined()
})
