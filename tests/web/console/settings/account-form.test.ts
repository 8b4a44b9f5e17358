import { expect, test } from 'vitest'
import type { Account } from '#web/console/core/account.ts'
import { changesOf, readAccount } from '#web/console/settings/account-form.ts'

const account = {
  name: 'Northwind',
  displayName: null,
  supportUrl: null,
  theme: { accent: '#1a6b54', radius: null, font: null, mode: 'dark' },
  embedOrigins: ['https://a.example', 'https://b.example'],
  attemptLimit: null,
  secondOpinionPercent: 5,
} as unknown as Account
const form = readAccount(account)

test('unchanged members are not sent', () => {
  expect(changesOf(form, form)).toEqual({})
})

test.each([
  [{ name: ' South ' }, { name: 'South' }],
  [{ supportUrl: 'mailto:a@b.example' }, { supportUrl: 'mailto:a@b.example' }],
  [{ accent: '' }, { theme: { accent: null } }],
  [{ radius: '8', mode: '' }, { theme: { radius: 8, mode: null } }],
  [{ embedOrigins: ' https://c.example \n\n' }, { embedOrigins: ['https://c.example'] }],
  [{ attemptLimit: 'off' }, { attemptLimit: 'off' }],
  [{ attemptLimit: '5' }, { attemptLimit: 5 }],
  [{ secondOpinionPercent: '10' }, { secondOpinionPercent: 10 }],
  [{ secondOpinionPercent: ' ' }, { secondOpinionPercent: 0 }],
])('%j is sent as %j', (changes, body) => {
  expect(changesOf(form, { ...form, ...changes })).toEqual(body)
})

test('an empty field is null, not an empty text', () => {
  const whole = readAccount({ ...account, displayName: 'N', attemptLimit: 5 } as Account)
  expect(changesOf(whole, { ...whole, displayName: '', attemptLimit: '' })).toEqual({
    displayName: null,
    attemptLimit: null,
  })
})
