import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServices } from '#server/app/opening.ts'
import { readSettings } from '#server/app/settings.ts'
import { scopes } from '#shared/endpoint.ts'
import { createAccountCommand } from '../../../../support/programs/account-command.ts'

let folder: string
let verificationId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-openid-'))
  const settings = readSettings({ DATA_DIR: folder })
  const opened = await openServices(settings, true)
  const { account } = await opened.services.accounts.create('Shop & Co')
  const { signal } = new AbortController()
  const caller = {
    kind: 'account',
    accountId: account.accountId,
    keyId: '',
    scopes,
    via: 'command',
    address: '',
    signal,
  } as const
  const body = { name: 'Sign-in', verificationConfig: {} }
  verificationId = (
    await opened.services.verifications.createVerification({ body, caller, query: undefined })
  ).verificationId
  await opened.close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const on = createAccountCommand(() => folder, { OPENID_PROVIDER: 'on' })
const off = createAccountCommand(() => folder)
const redirect = ['--redirect', 'https://shop.example/a,https://shop.example/b']

test('npm run account creates, lists, rotates and deletes OpenID clients', async () => {
  expect((await on.account('clients')).told).toBe('There is no client.')
  const made = await on.account(
    'create-client',
    'Shop',
    ...redirect,
    '--ages',
    '18,21',
    '--verification',
    verificationId,
  )
  const told =
    /^Issuer: http:\/\/127\.0\.0\.1:8080\/openid\nClient: ([0-9a-f]{32})\nSecret: ([\w-]{43})\nThe secret is not shown again\.$/
  const [, clientId = '', secret = ''] = told.exec(made.told) ?? []
  expect(clientId).not.toBe('')
  const { clients } = await on.json('clients')
  expect(clients).toMatchObject([
    { clientId, ageThresholds: [18, 21], mayAskAgeEstimate: false, isPublic: false },
  ])
  const { clientSecret } = await on.json('rotate-client-secret', clientId, '--immediately')
  expect(clientSecret).toMatch(/^[\w-]{43}$/)
  expect(clientSecret).not.toBe(secret)
  expect((await on.account('clients')).told).not.toContain(secret)
  expect((await on.account('delete-client', clientId)).told).toBe(`The client ${clientId} is deleted.`)
  expect((await on.json('clients')).clients).toEqual([])
})

test('npm run account creates a client without a secret, and gives it none', async () => {
  const made = await on.account(
    'create-client',
    'Page',
    '--public',
    ...redirect,
    '--verification',
    verificationId,
  )
  expect(made.told).toContain('It has no secret.')
  const [client] = (await on.json('clients')).clients
  expect(await on.account('rotate-client-secret', client.clientId)).toMatchObject({ code: 1 })
})

describe('npm run account update-client', () => {
  let clientId: string
  const clientNow = async () =>
    (await on.json('clients')).clients.find((one: { clientId: string }) => one.clientId === clientId)
  beforeAll(async () => {
    const made = ['create-client', 'Shop', ...redirect, '--ages', '18,21', '--verification', verificationId]
    clientId = (await on.json(...made)).clientId
  })

  test('changes the given settings, and leaves the rest', async () => {
    const before = await clientNow()
    const { told } = await on.account('update-client', clientId, '--name', 'The shop')
    expect(told).toContain(`${clientId}  The shop  (with a secret)`)
    expect(await clientNow()).toEqual({ ...before, name: 'The shop' })
    const all = ['--redirect', 'https://shop.example/c', '--ages', '16', '--age-estimate', 'on']
    const { client } = await on.json('update-client', clientId, ...all, '--verification', verificationId)
    const changed = { redirectUris: ['https://shop.example/c'], ageThresholds: [16], mayAskAgeEstimate: true }
    expect(client).toEqual({ ...before, name: 'The shop', ...changed })
    await on.account('update-client', clientId, '--ages', '', '--age-estimate', 'off')
    expect(await clientNow()).toEqual({ ...client, ageThresholds: [], mayAskAgeEstimate: false })
  })

  test('makes it public and back, and says where its secret comes from', async () => {
    expect((await on.account('update-client', clientId, '--public', 'on')).told).toContain('(public)')
    expect(await on.account('rotate-client-secret', clientId)).toMatchObject({ code: 1 })
    const { told } = await on.account('update-client', clientId, '--public', 'off')
    expect(told).toContain(`rotate-client-secret ${clientId}`)
    expect((await on.json('rotate-client-secret', clientId)).clientSecret).toMatch(/^[\w-]{43}$/)
  })

  test.each([
    ['a switch that is neither', ['--public', 'yes'], 2, '--public must be on or off.'],
    ['a name that shows nothing', ['--name', '\u200b'], 2, 'name: Must contain a visible character.'],
    ['a name that is empty', ['--name', ''], 2, 'name: '],
    ['no address', ['--redirect', ''], 2, 'redirectUris: Must have at least one address.'],
    ['an address of plain http', ['--redirect', 'http://shop.example/a'], 2, 'redirectUris'],
    ['an age that is no number', ['--ages', 'old'], 2, 'ageThresholds/0'],
    ['an age that is too low', ['--ages', '12'], 2, 'ageThresholds/0'],
    ['an unknown verification', ['--verification', 'x'], 1, 'verification does not exist'],
  ])('refuses %s as the API does, and changes nothing', async (_name, words, code, reason) => {
    const before = await clientNow()
    const refused = await on.account('update-client', clientId, '--age-estimate', 'on', ...words)
    expect(refused).toMatchObject({ code, errors: expect.stringContaining(reason) })
    expect(await clientNow()).toEqual(before)
  })
})

test.each([
  [
    'an unknown verification',
    ['create-client', 'Shop', ...redirect, '--verification', 'x'],
    'verification does not exist',
  ],
  ['an unknown client', ['rotate-client-secret', 'x'], 'client does not exist'],
  ['an unknown client to change', ['update-client', 'x', '--name', 'y'], 'client does not exist'],
  ['a client that is gone', ['delete-client', 'x'], 'client does not exist'],
])('npm run account explains what is wrong with %s', async (_name, words, reason) => {
  expect(await on.account(...words)).toMatchObject({ code: 1, errors: expect.stringContaining(reason) })
})

test('npm run account names a client in one form', async () => {
  const words = [...redirect, '--verification', verificationId]
  const made = await on.json('create-client', 'Cafe\u0301', ...words)
  const { clients } = await on.json('clients')
  expect(clients.find((one: { clientId: string }) => one.clientId === made.clientId).name).toBe('Caf\u00e9')
  expect(await on.account('create-client', 'Harbour\u202eknaB', ...words)).toMatchObject({ code: 2 })
})

test('npm run account makes no client where the provider is off', async () => {
  const refused = await off.account('create-client', 'Shop', ...redirect, '--verification', verificationId)
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('OPENID_PROVIDER=on') })
})
