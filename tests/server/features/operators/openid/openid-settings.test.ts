import * as v from 'valibot'
import { expect, test } from 'vitest'
import { openidEntries, openidOf } from '#server/features/operators/openid/openid-settings.ts'

const read = (given: object) => openidOf(v.parse(v.object(openidEntries), given))
const OPENID_ISSUER = 'https://login.example/tenant'
const OPENID_CLIENT_ID = 'console'

test('a provider is an issuer and a client, named after its host by default', () => {
  expect(read({})).toBeUndefined()
  expect(read({ OPENID_ISSUER, OPENID_CLIENT_ID })).toEqual({
    issuer: OPENID_ISSUER,
    clientId: OPENID_CLIENT_ID,
    clientSecret: undefined,
    name: 'login.example',
  })
  expect(
    read({ OPENID_ISSUER, OPENID_CLIENT_ID, OPENID_CLIENT_SECRET: 'hush', OPENID_NAME: ' Our Login ' }),
  ).toMatchObject({ clientSecret: 'hush', name: 'Our Login' })
})

test('an incomplete provider is refused', () => {
  expect(() => read({ OPENID_ISSUER })).toThrow('OPENID_CLIENT_ID')
  expect(() => read({ OPENID_CLIENT_ID })).toThrow('OPENID_ISSUER')
  expect(() => read({ OPENID_CLIENT_SECRET: 'hush' })).toThrow('OPENID_ISSUER')
})

test.each([
  ['https://login.example', true],
  ['https://login.example/a/', true],
  ['http://127.0.0.1:9000', true],
  ['http://localhost:9000', true],
  ['http://login.example', false],
  ['https://login.example/?a=1', false],
  ['https://login.example/#a', false],
  ['https://user@login.example', false],
  ['login.example', false],
  ['', false],
])('the issuer %s: %s', (issuer, isTaken) => {
  const attempt = () => read({ OPENID_ISSUER: issuer, OPENID_CLIENT_ID })
  if (isTaken) expect(attempt()).toMatchObject({ issuer })
  else expect(attempt).toThrow()
})

test.each([
  ['', false],
  ['x'.repeat(40), true],
  ['x'.repeat(41), false],
])('the name %j: %s', (OPENID_NAME, isTaken) => {
  const attempt = () => read({ OPENID_ISSUER, OPENID_CLIENT_ID, OPENID_NAME })
  if (isTaken) expect(attempt()).toMatchObject({ name: OPENID_NAME })
  else expect(attempt).toThrow()
})
