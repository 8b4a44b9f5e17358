import {
  createKey,
  getKeys,
  revokeKey,
  rotateSigningKey,
  rotateWebhookSecret,
  setPrimaryKey,
} from '#shared/contract/account/account.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { ResultOf, Scope } from '#shared/endpoint.ts'
import { webhookAdvice } from './account-commands.ts'
import type { Command } from './command.ts'

type Key = ResultOf<typeof getKeys>['keys'][number]

const immediately = { immediately: { type: 'boolean' } } as const

const keys: Command = {
  summary: 'Lists the API keys of an account.',
  async run({ call, services: { accountService } }) {
    const result = await call('getKeys', getKeys, accountService.getKeys, {})
    const primary = result.keys.find(({ isPrimary }) => isPrimary)
    const advice = (primary?.scopes.length ?? 0) > 0 ? [webhookAdvice] : []
    return { result, lines: [...result.keys.map(lineOf), ...advice] }
  },
}

const create: Command = {
  summary:
    'Creates an API key and prints it once; --scopes admin,configure,people,analyse,tokens,review (default: none); --mode test creates a test key.',
  subject: 'NAME',
  options: { scopes: { type: 'string' }, mode: { type: 'string' } },
  async run({ call, subject, text, services: { accountService } }) {
    const scopes = (text('scopes') ?? '').split(',').filter((scope) => scope !== '') as Scope[]
    const mode = text('mode') as Environment | undefined
    const body = { name: subject, scopes, ...(mode !== undefined && { mode }) }
    const result = await call('createKey', createKey, accountService.createKey, { body })
    return {
      result,
      lines: [
        `Key: ${result.keyId} (${result.mode})`,
        `API key: ${result.apiKey}`,
        'The key is not shown again.',
      ],
    }
  },
}

const revoke: Command = {
  summary:
    'Revokes an API key; it and its bearer tokens stop working immediately, or after --overlap SECONDS (a week at most).',
  subject: 'KEY',
  options: { overlap: { type: 'string' } },
  async run({ call, subject, text, services: { accountService } }) {
    const overlap = text('overlap')
    const query = { keyId: subject, ...(overlap !== undefined && { overlapInSeconds: overlap }) }
    const result = await call('revokeKey', revokeKey, accountService.revokeKey, { query })
    const lasting = Number(overlap ?? 0)
    const words = lasting > 0 ? `works for ${lasting} more seconds, then it is revoked` : 'is revoked'
    return { result, lines: [`The key ${subject} ${words}.`] }
  },
}

const setPrimary: Command = {
  summary: 'Sets the primary key, which webhooks carry; choose one without scopes.',
  subject: 'KEY',
  async run({ call, subject, services: { accountService } }) {
    const body = { keyId: subject }
    const result = await call('setPrimaryKey', setPrimaryKey, accountService.setPrimaryKey, { body })
    return { result, lines: [`Webhooks now carry the key ${subject}.`] }
  },
}

const rotateSigning: Command = {
  summary: 'Signs links with a new key; earlier links stay valid for 7 days, or end with --immediately.',
  options: immediately,
  async run({ call, flag, services: { accountService } }) {
    const body = { immediately: flag('immediately') }
    const result = await call('rotateSigningKey', rotateSigningKey, accountService.rotateSigningKey, { body })
    return { result, lines: [`Earlier signatures are valid until ${result.previousValidUntil}.`] }
  },
}

const rotateWebhook: Command = {
  summary: 'Creates a new webhook secret and prints it once; the previous one also signs for 24 hours.',
  options: immediately,
  async run({ call, flag, services: { accountService } }) {
    const body = { immediately: flag('immediately') }
    const handler = accountService.rotateWebhookSecret
    const result = await call('rotateWebhookSecret', rotateWebhookSecret, handler, { body })
    return {
      result,
      lines: [
        `Webhook secret: ${result.webhookSecret}`,
        'The secret is not shown again.',
        `The previous secret also signs until ${result.previousSignsUntil}.`,
      ],
    }
  },
}

export const keyCommands: Readonly<Record<string, Command>> = {
  keys,
  'create-key': create,
  'revoke-key': revoke,
  'set-primary-key': setPrimary,
  'rotate-signing-key': rotateSigning,
  'rotate-webhook-secret': rotateWebhook,
}

function lineOf({ keyId, name, scopes, isPrimary, created, lastUsed, revoked, ends }: Key): string {
  const may = scopes.length === 0 ? 'no scopes' : scopes.join(' ')
  const state = revoked === null ? `last used ${lastUsed ?? 'never'}` : `revoked ${revoked}`
  const end = ends ? `, ends ${ends}` : ''
  return `${keyId}  ${name}  (${may}${isPrimary ? ', primary' : ''}) created ${created}, ${state}${end}`
}
