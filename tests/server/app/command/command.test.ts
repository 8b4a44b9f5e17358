import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '#shared/call.ts'
import { getAccount, getKeys } from '#shared/contract/account/account.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { newAuthenticator } from '../../../support/authenticator.ts'
import { createAccountCommand } from '../../../support/programs/account-command.ts'
import { stillLoading } from '../../../support/programs/server-process.ts'
import { serverProgram } from '../../../support/programs/server-program.ts'
import { problemOf } from '../../../support/visit.ts'

const pixel = { create: { width: 1, height: 1, channels: 3, background: '#1a6b54' } } as const

let folder: string
let server: ChildProcess
let origin: string
let adminKey: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-command-'))
  server = spawn(process.execPath, serverProgram('main'), {
    // The deployment's tooling created a webhook key before the first start.
    env: { ...stillLoading, PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, WEBHOOK_API_KEY: 'first' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of createInterface({ input: server.stdout! })) {
    origin = /^Selfsame is ready at (\S+)\/$/.exec(line)?.[1] ?? origin
    if (line.startsWith('API key: ')) adminKey = line.replace('API key: ', '')
    if (line.startsWith('Demo: ')) break
  }
})
afterAll(async () => {
  const exit = once(server, 'exit')
  server.kill('SIGKILL')
  await exit
  await rm(folder, { recursive: true, force: true })
})

const { account, json } = createAccountCommand(() => folder)

const holding = (apiKey: string) => ({ credential: { apiKey } })

describe('npm run account, next to a running server', () => {
  test('creates keys that work at once, and revokes them at once', async () => {
    const { keyId, apiKey } = await json('create-key', 'Backend', '--scopes', 'configure,tokens')
    await call(fetch, origin, getUtcNow, holding(apiKey))
    expect((await account('revoke-key', keyId)).code).toBe(0)
    expect(await problemOf(call(fetch, origin, getUtcNow, holding(apiKey)))).toBe('unauthenticated')
    const { keys } = await call(fetch, origin, getKeys, holding(adminKey))
    expect(keys.find((key) => key.keyId === keyId)).toMatchObject({
      name: 'Backend',
      revoked: expect.any(String),
    })
  })

  test('lets a revoked key work for a while, and lists until when', async () => {
    const { keyId, apiKey } = await json('create-key', 'Old backend', '--scopes', 'configure')
    const revoked = await account('revoke-key', keyId, '--overlap', '3600')
    expect(revoked).toMatchObject({ code: 0, told: expect.stringContaining('works for 3600 more seconds') })
    await call(fetch, origin, getUtcNow, holding(apiKey))
    const { keys } = await call(fetch, origin, getKeys, holding(adminKey))
    const { ends } = keys.find((key) => key.keyId === keyId)!
    expect((await account('keys')).told).toContain(`ends ${ends}`)
    expect((await account('revoke-key', keyId, '--overlap', '604801')).code).toBe(2)
  })

  test('recommends a key without scopes for webhooks, until one is chosen', async () => {
    expect((await account('keys')).told).toContain('create a key without scopes')
    const { keyId } = await json('create-key', 'Webhooks')
    await json('set-primary-key', keyId)
    expect((await account('keys')).told).not.toContain('create a key without scopes')
    expect((await call(fetch, origin, getAccount, holding(adminKey))).account.primaryKeyId).toBe(keyId)
  })

  test('lets people into the console, and lists them', async () => {
    expect((await account('people')).told).toBe('There are no people yet: add one with invite NAME.')
    const made = await json('invite', 'Ada', '--role', 'owner')
    expect(made).toMatchObject({ name: 'Ada', role: 'owner', replacesPasskey: false })
    const [address, code] = made.url.split('#')
    expect([address, code]).toEqual(['http://localhost:8080/console', expect.stringMatching(/^[\w-]{43}$/)])
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${origin}/console/api/invitation/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: origin.replace('127.0.0.1', 'localhost'),
          'sec-fetch-site': 'same-origin',
        },
        body: JSON.stringify(body),
      })
      return (await answer.json()) as { ceremony: string; options: Record<string, unknown> }
    }
    const { ceremony, options } = await post('begin', { code })
    const response = newAuthenticator(origin.replace('127.0.0.1', 'localhost')).make(options)
    expect(await post('finish', { code, ceremony, response })).toMatchObject({ me: { name: 'Ada' } })
    expect((await account('people')).told).toMatch(/^[\w-]{36} {2}Ada {2}\(owner\)$/)
    expect((await account('invite', 'ada', '--role', 'owner')).told).toContain('a new passkey for Ada')
    expect((await account('lock-out', 'Nobody')).code).toBe(1)
    expect((await account('lock-out', 'ADA')).told).toContain('Ada is signed out everywhere')
    expect((await account('people')).told).toContain('Ada  (owner)')
    const { told } = await account('audit', '--limit', '4')
    expect(told).toContain('invitePerson')
    expect((await account('audit', '--limit', '9')).told).toMatch(
      /takeInvitation.*operator Ada|operator Ada.*takeInvitation/,
    )
    expect(told).toContain('lockOutPerson')
  })

  test.each([
    [2, '--role is missing', []],
    [2, 'role: Must be', ['--role', 'admin']],
    [1, 'last owner', ['--role', 'viewer']],
  ])('answers %i to an invitation if %s', async (code, words, more) => {
    expect(await account('invite', 'Ada', ...more)).toMatchObject({
      code,
      errors: expect.stringContaining(words),
    })
  })

  test('changes settings, and names an invalid one', async () => {
    const { told, code } = await account(
      ...[
        'update',
        '--name',
        'Shop',
        '--colour',
        '#112233',
        '--origins',
        'https://a.example https://b.example',
      ],
      ...['--attempts', '3', '--webhook-key', 'off', '--token-scope', 'analyse'],
    )
    expect([code, told]).toEqual([0, expect.stringContaining('Webhooks carry: no key')])
    expect((await call(fetch, origin, getAccount, holding(adminKey))).account).toMatchObject({
      name: 'Shop',
      accentColour: '#112233',
      embedOrigins: ['https://a.example', 'https://b.example'],
      attemptLimit: 3,
      webhookCarriesKey: false,
      defaultTokenScope: 'analyse',
    })
    const logo = join('web', 'icon.svg')
    expect(await account('update', '--logo', logo)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('logo: Must be a JPEG or PNG picture; this is SVG.'),
    })
    expect((await account('update', '--logo', 'nowhere.png')).errors).toContain('cannot be read')
    const picture = join(folder, 'logo.png')
    await writeFile(picture, await sharp(pixel).png().toBuffer())
    expect((await account('update', '--logo', picture)).told).toMatch(/Logo: \/logo\/[0-9a-f]{32}/)
    expect((await account('update', '--logo', 'none')).told).toContain('Logo: none')
    const wrong = await account('update', '--colour', 'red', '--attempts', 'many')
    expect(wrong).toMatchObject({ code: 2, told: '' })
    expect(wrong.errors).toContain('accentColour: Must be a colour such as #1a6b54.')
    expect(wrong.errors).toContain('attemptLimit:')
    await json(
      'update',
      '--colour',
      'none',
      '--attempts',
      'default',
      '--webhook-key',
      'on',
      '--origins',
      '',
      '--token-scope',
      'both',
    )
    expect((await call(fetch, origin, getAccount, holding(adminKey))).account).toMatchObject({
      accentColour: null,
      embedOrigins: [],
      attemptLimit: null,
      webhookCarriesKey: true,
      defaultTokenScope: null,
    })
  })

  test('rotates the keys of tokens: the server signs with the new one within seconds, the old ones stay valid', async () => {
    const tokenOf = async () =>
      (await call(fetch, origin, getToken, { ...holding(adminKey), query: {} })).token
    const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid
    const use = (bearer: string) => call(fetch, origin, getUtcNow, { credential: { bearer } })
    const old = await tokenOf()
    const { keyId } = await json('rotate-token-keys')
    await expect.poll(async () => kidOf(await tokenOf()), { timeout: 6000, interval: 200 }).toBe(keyId)
    await use(old)
    await use(await tokenOf())
    const keys = (await (await fetch(`${origin}/.well-known/jwks.json`)).json()).keys as { kid: string }[]
    expect(keys.map(({ kid }) => kid)).toEqual([keyId, kidOf(old)])
    await json('rotate-token-keys', '--immediately')
    await expect.poll(() => problemOf(use(old)), { timeout: 6000, interval: 200 }).toBe('unauthenticated')
  })

  test('rotates the other secrets, and prints the new one once', async () => {
    expect((await account('rotate-webhook-secret')).told).toMatch(
      /^Webhook secret: whsec_[A-Za-z0-9+/]{43}=\n/,
    )
    expect((await account('rotate-signing-key')).told).toMatch(/valid until \d{4}-/)
  })

  test('records everything in the audit log, which is complete', async () => {
    const { entries } = await json('audit', '--limit', '100')
    const operations = entries.map(({ operation }: { operation: string }) => operation)
    for (const operation of ['createKey', 'revokeKey', 'setPrimaryKey', 'updateAccount', 'rotateTokenKeys'])
      expect(operations).toContain(operation)
    expect(entries[0].actor).toEqual({ kind: 'commandLine', keyId: null, tokenId: null })
    const { told, code } = await account('audit', '--verify')
    expect([code, told]).toEqual([
      0,
      expect.stringMatching(/^The log is complete: \d+ entries\.\nKeep elsewhere:/),
    ])
    const rewritten = await account('audit', '--verify', '--sequence', '1', '--hash', 'other')
    expect(rewritten).toMatchObject({ code: 1, told: expect.stringContaining('NOT complete: rewritten') })
  })

  test('makes a new secret the one that opens the store', async () => {
    const run = (env: Record<string, string>, ...words: string[]) =>
      spawnSync(process.execPath, [...serverProgram('account'), ...words], {
        env: { PATH: process.env.PATH, DATA_DIR: folder, ...env },
        encoding: 'utf8',
      })
    const SECRET = 's'.repeat(40)
    expect(run({ SECRET }, 'reseal')).toMatchObject({ status: 0, stdout: expect.stringContaining('sealed') })
    expect(run({ SECRET }, 'list')).toMatchObject({ status: 0 })
    expect(run({}, 'list')).toMatchObject({ status: 1, stderr: expect.stringContaining('does not open') })
    const back = run({ SECRET_PREVIOUS: SECRET }, 'reseal')
    expect(back).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"secret" in DATA_DIR: keep it'),
    })
    expect(run({}, 'list').status).toBe(0)
  })

  test('names an account in one form', async () => {
    const { name } = await json('create', 'Cafe\u0301')
    expect(name).toBe('Caf\u00e9')
  })

  test('works on one account of several', async () => {
    const { accountId, apiKey } = await json('create', 'Second')
    expect((await call(fetch, origin, getAccount, holding(apiKey))).account.name).toBe('Second')
    expect(await account('keys')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--account ID'),
    })
    expect((await json('show', '--account', accountId)).account.name).toBe('Second')
    expect((await json('show', '--account', 'Second')).account.accountId).toBe(accountId)
    expect(await account('show', '--account', 'Third')).toMatchObject({ code: 1 })
    expect((await account('list')).told).toContain(`${accountId}  Second  (keys: 1)`)
    const person = await account('delete-person', 'nobody', '--account', 'Second')
    expect(person.told).toBe('Faces deleted: 0\nSessions deleted: 0\nDeliveries deleted: 0')
    expect((await account('reset-passkeys', 'nobody', '--account', 'Second')).told).toBe(
      'Revoked passkeys: 0',
    )
    expect((await json('deliveries', '--account', 'Second')).deliveries).toEqual([])
  })
})

describe('a command that fails', () => {
  test.each([
    ['none', []],
    ['unknown', ['frobnicate']],
    ['without its word', ['create-key']],
    ['with a word too many', ['list', 'all']],
    ['with an unknown option', ['list', '--colour', 'red']],
    ['with nothing to change', ['update', '--account', 'Shop']],
    ['with a name that shows nothing', ['create', '\u200b']],
    ['with a name that is turned round', ['create', 'Harbour\u202eknaB']],
    ['with a scope that there is not', ['create-key', 'X', '--scopes', 'root', '--account', 'Shop']],
  ])('%s: exits with 2 and the reason', async (_name, words) => {
    const { code, told, errors } = await account(...words)
    expect(code).toBe(2)
    expect(told + errors).not.toBe('')
  })

  test.each([
    ['an unknown key', ['revoke-key', 'x', '--account', 'Shop']],
    ['an unknown delivery', ['resend', 'x', '--account', 'Shop']],
  ])('%s: exits with 1', async (_name, words) => {
    const { code, errors } = await account(...words)
    expect([code, errors]).toEqual([1, expect.stringContaining('does not exist')])
  })

  test('prints the help if --help follows a command', async () => {
    expect(await account('list', '--help')).toEqual(await account('help'))
    expect((await account('help')).code).toBe(0)
  })

  test('exits with its code, and names the folder if there is no store', () => {
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [...serverProgram('account'), ...words], {
        env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'nowhere') },
        encoding: 'utf8',
      })
    const { status, stderr } = run('list')
    expect([status, stderr]).toEqual([1, expect.stringContaining(join(folder, 'nowhere'))])
    expect(run('help')).toMatchObject({ status: 0, stdout: expect.stringContaining('rotate-signing-key') })
  })
})
