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
  secondOpinionPercent: 0,
  defaultTokenScope: null,
  displayName: null,
  supportUrl: 'https://northwind.example/help',
  theme: { accent: '#112233', radius: 4, font: null, mode: 'dark' as const },
}
const theme = themeOfAccount(account, 'EU')

test('the theme is that of the account, with defaults for the rest', () => {
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

test('an unnamed account has the name that visitors see', () => {
  expect(themeOfAccount({ ...account, name: firstAccountName }, 'EU').accountName).toBe('Selfsame')
})

test('input in the form is previewed before it is saved, and invalid values are not', () => {
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

test('a configuration is described to visitors, and so is a test account', () => {
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

test('an invalid configuration is not previewed', () => {
  expect(checkOf({ verifierConfigs: { age: { type: 'Older' } } } as never, theme, 'live')).toBeUndefined()
  expect(checkOf({ redirectConfig: { passedUrl: 'http://shop.example' } }, theme, 'live')).toBeUndefined()
})
