import { expect, test } from 'vitest'
import { relyingPartyOf } from '#server/platform/web-authn/relying-party.ts'

test.each([
  ['https://check.example', { id: 'check.example', origin: 'https://check.example' }],
  ['https://check.example:8443', { id: 'check.example', origin: 'https://check.example:8443' }],
  ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  ['http://a.localhost', { id: 'a.localhost', origin: 'http://a.localhost' }],
  ['http://127.0.0.1:8080', undefined],
  ['https://192.0.2.7', undefined],
  ['http://[::1]:8080', undefined],
  ['https://[2001:db8::1]', undefined],
  ['http://check.example', undefined],
])('%s', (address, party) => {
  expect(relyingPartyOf(address)).toEqual(party)
})
