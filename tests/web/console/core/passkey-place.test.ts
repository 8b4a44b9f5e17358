import { expect, test } from 'vitest'
import { type PasskeyPage, passkeyHindranceOf } from '#web/console/core/passkey-place.ts'

const page = { isSecureContext: true, location: { hostname: 'check.example' }, PublicKeyCredential: class {} }

test.each<[string, Partial<PasskeyPage>, ReturnType<typeof passkeyHindranceOf>]>([
  ['a current browser at a name', {}, undefined],
  ['localhost', { location: { hostname: 'localhost' } }, undefined],
  ['WebKitGTK 2.50, whose PublicKeyCredential is undefined', { PublicKeyCredential: undefined }, 'browser'],
  ['an IP address', { location: { hostname: '127.0.0.1' } }, 'address'],
  ['an IP address of the sixth version', { location: { hostname: '[::1]' } }, 'address'],
  // Browsers only offer the interface with https, so the address is to blame.
  ['no https', { isSecureContext: false, PublicKeyCredential: undefined }, 'address'],
])('whether passkeys work: %s', (_, changed, hindrance) => {
  expect(passkeyHindranceOf({ ...page, ...changed })).toBe(hindrance)
})
