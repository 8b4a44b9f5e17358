import { readFile } from 'node:fs/promises'
import { environmentOf } from '#server/features/callers/callers.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import { validate } from '#server/platform/http/requests/validation.ts'
import { getAccount, updateAccount } from '#shared/contract/account/account.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'
import { type Command, type Context, UsageError } from './command.ts'

type Detail = ResultOf<typeof getAccount>['account']

const create: Command = {
  summary:
    'Creates an account with a key that has all scopes, and prints the key once; --new-store also creates the store if there is none.',
  subject: 'NAME',
  options: { 'new-store': { type: 'boolean' } },
  async run({ services, subject }) {
    validate(updateAccount.body, { name: subject }, '#')
    refuseUnfitName('#/name', subject)
    const { account, apiKey } = await services.accounts.create(canonicalIdentity(subject), 'commandLine')
    const { accountId, name } = account
    return {
      result: { accountId, name, apiKey },
      lines: [`Account: ${accountId}`, `API key: ${apiKey}`, 'The key is not shown again.', webhookAdvice],
    }
  },
}

const list: Command = {
  summary: 'Lists the accounts, with the number of active keys of each.',
  async run({ services: { accounts } }) {
    const found = []
    for (const account of await accounts.list()) {
      const { accountId, name, created, testOf = null } = account
      const keys = (await accounts.keys.list(accountId)).filter(({ revoked }) => revoked === null)
      found.push({
        accountId,
        name,
        environment: environmentOf(account),
        testOf,
        created,
        workingKeys: keys.length,
      })
    }
    const lines = found.map(
      ({ accountId, name, testOf, workingKeys }) =>
        `${accountId}  ${name}  (${testOf === null ? '' : `test of ${testOf}, `}keys: ${workingKeys})`,
    )
    return { result: { accounts: found }, lines: lines.length > 0 ? lines : ['There is no account yet.'] }
  },
}

const show: Command = {
  summary: 'Shows the settings of an account.',
  async run(context) {
    const { getAccount: get } = context.services.accountService
    const result = await context.call('getAccount', getAccount, get, {})
    return { result, lines: linesOf(result.account) }
  },
}

const update: Command = {
  summary:
    'Changes an account: --colour #rrggbb or none, --logo FILE or none, --origins with spaces between, --attempts 1 to 1000, off or default, --webhook-key on or off, --token-scope analyse, configure or both, --display-name TEXT or none, --support ADDRESS or none, --radius 0 to 32 or none, --font and --look (light, dark, auto) or none.',
  options: {
    name: { type: 'string' },
    colour: { type: 'string' },
    logo: { type: 'string' },
    origins: { type: 'string' },
    attempts: { type: 'string' },
    'webhook-key': { type: 'string' },
    'token-scope': { type: 'string' },
    'display-name': { type: 'string' },
    support: { type: 'string' },
    radius: { type: 'string' },
    font: { type: 'string' },
    look: { type: 'string' },
  },
  async run(context) {
    const { updateAccount: change } = context.services.accountService
    const body = { ...settingsOf(context), ...brandingOf(context), ...(await readLogo(context)) }
    if (Object.keys(body).length === 0) throw new UsageError('No change was given.')
    const result = await context.call('updateAccount', updateAccount, change, { body })
    return { result, lines: linesOf(result.account) }
  },
}

const rotateTokenKeys: Command = {
  summary: 'Signs tokens with a new key; --immediately invalidates all earlier tokens.',
  options: { immediately: { type: 'boolean' } },
  async run({ services: { accounts, audit, tokenKeys }, flag }) {
    const keyId = await tokenKeys.rotate(flag('immediately'))
    for (const { accountId } of await accounts.list()) {
      await audit.note(accountId, 'rotateTokenKeys', 'commandLine', {})
    }
    return {
      result: { keyId },
      lines: [`Tokens are now signed with ${keyId}.`, 'Running servers notice within 3 seconds.'],
    }
  },
}

const reseal: Command = {
  summary: 'Run this after changing SECRET: from then on only the new secret opens the store.',
  async run(context) {
    await context.reseal()
    return {
      result: { resealed: true },
      lines: ['The store is now sealed with the current secret.', spareSecrets[context.secretStandsIn]],
    }
  },
}

export const accountCommands: Readonly<Record<string, Command>> = {
  create,
  list,
  show,
  update,
  'rotate-token-keys': rotateTokenKeys,
  reseal,
}

export const webhookAdvice =
  'For webhooks, create a key without scopes (create-key Webhooks) and choose it (set-primary-key KEY). Otherwise every receiver has a key that grants access.'

/** Secrets that are no longer needed. Never the current one, because the store would be lost without it. */
const spareSecrets = {
  SECRET: 'SECRET_PREVIOUS and the file "secret" in DATA_DIR can be removed.',
  file: 'The current secret is the file "secret" in DATA_DIR: keep it. SECRET_PREVIOUS can be removed.',
} as const

function settingsOf({ text }: Context) {
  const [name, colour, origins] = [text('name'), text('colour'), text('origins')]
  const [attempts, webhookKey, tokenScope] = [text('attempts'), text('webhook-key'), text('token-scope')]
  return {
    ...(name !== undefined && { name }),
    ...(colour !== undefined && { accentColour: colour === 'none' ? null : colour }),
    ...(origins !== undefined && { embedOrigins: origins.split(/\s+/).filter((origin) => origin !== '') }),
    ...(attempts !== undefined && { attemptLimit: limitOf(attempts) }),
    ...(webhookKey !== undefined && { webhookCarriesKey: isOn(webhookKey) }),
    ...(tokenScope !== undefined && { defaultTokenScope: tokenScope === 'both' ? null : tokenScope }),
  }
}

/** The branding that visitors see; `none` restores the default. */
function brandingOf({ text }: Context) {
  const [name, support] = [text('display-name'), text('support')]
  const looks = { radius: text('radius'), font: text('font'), mode: text('look') }
  const given = Object.entries(looks).flatMap(([member, word]) =>
    word === undefined ? [] : [[member, member === 'radius' ? numberOrNone(word) : unlessNone(word)]],
  )
  return {
    ...(name !== undefined && { displayName: unlessNone(name) }),
    ...(support !== undefined && { supportUrl: unlessNone(support) }),
    ...(given.length > 0 && { theme: Object.fromEntries(given) }),
  }
}

function unlessNone(word: string): string | null {
  return word === 'none' ? null : word
}

function numberOrNone(word: string): number | null {
  return word === 'none' ? null : Number(word)
}

async function readLogo({ text }: Context) {
  const file = text('logo')
  if (file === undefined) return {}
  if (file === 'none') return { logo: null }
  const bytes = await readFile(file).catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`)
  })
  return { logo: bytes.toString('base64') }
}

function limitOf(attempts: string): number | 'off' | null {
  if (attempts === 'off') return attempts
  return attempts === 'default' ? null : Number(attempts)
}

function isOn(word: string): boolean {
  if (word !== 'on' && word !== 'off') throw new UsageError('--webhook-key must be on or off.')
  return word === 'on'
}

function linesOf(account: Detail): string[] {
  return [
    `Account: ${account.accountId}`,
    `Name: ${account.name}`,
    `Environment: ${account.environment}`,
    `Colour: ${account.accentColour ?? 'default'}`,
    `Logo: ${account.logo?.address ?? 'none'}`,
    `Shown as: ${account.displayName ?? account.name}`,
    `Support address: ${account.supportUrl ?? 'none'}`,
    `Corners, font, mode: ${account.theme.radius ?? 'house'}, ${account.theme.font ?? 'house'}, ${account.theme.mode ?? 'device'}`,
    `Embedding origins: ${account.embedOrigins.length === 0 ? 'none' : account.embedOrigins.join(' ')}`,
    `Failed sessions an hour: ${account.attemptLimit ?? "the deployment's limit"}`,
    `Default scopes of bearer tokens: ${account.defaultTokenScope ?? 'analyse configure'}`,
    `Webhooks carry: ${account.webhookCarriesKey ? `the key ${account.primaryKeyId}` : 'no key'}`,
  ]
}
