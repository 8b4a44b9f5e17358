import { expect, test } from 'vitest'
import { changeOf, creationOf, readClient } from '#web/console/developers/clients/client-form.ts'

const client = {
  clientId: 'a',
  name: 'Shop',
  redirectUris: ['https://shop.example/a', 'https://shop.example/b'],
  verificationId: 'v',
  isPublic: false,
  ageThresholds: [18, 21],
  mayAskAgeEstimate: false,
  issuer: 'https://check.example/openid',
  environment: 'live' as const,
  isUsable: true,
  created: '2026-11-24T12:00:00.000Z',
}

test('a client that is read and written again is the same', () => {
  const { name, redirectUris, verificationId, isPublic, ageThresholds, mayAskAgeEstimate } = client
  const settings = { name, redirectUris, verificationId, isPublic, ageThresholds, mayAskAgeEstimate }
  expect(creationOf(readClient(client))).toEqual(settings)
  expect(changeOf(client, readClient(client))).toEqual({ clientId: 'a' })
})

test('lists are written with a line or a comma each; an invalid age is sent for the server to refuse', () => {
  const form = { ...readClient(client), redirectUris: ' https://x.example/ \n\n', ageThresholds: '18,25 x' }
  expect(creationOf(form)).toMatchObject({
    redirectUris: ['https://x.example/'],
    ageThresholds: [18, 25, Number.NaN],
  })
})

test('only differences are sent', () => {
  const form = { ...readClient(client), name: ' The shop ', ageThresholds: '' }
  expect(changeOf(client, form)).toEqual({ clientId: 'a', name: 'The shop', ageThresholds: [] })
})
