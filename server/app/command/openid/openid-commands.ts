import { type Command, type Context, switchOf } from '#server/app/command/command.ts'
import {
  createOpenidClient,
  deleteOpenidClient,
  getOpenidClients,
  rotateOpenidSecret,
  updateOpenidClient,
} from '#shared/contract/openid/openid-client.ts'
import type { ResultOf } from '#shared/endpoint.ts'

type Client = ResultOf<typeof getOpenidClients>['clients'][number]

const clients: Command = {
  summary: 'Lists the OpenID clients: sites that sign people in through this server.',
  async run({ call, services: { openid } }) {
    const get = openid.clients.getOpenidClients
    const result = await call('getOpenidClients', getOpenidClients, get, {})
    const lines = result.clients.map(lineOf)
    return { result, lines: lines.length > 0 ? lines : ['There is no client.'] }
  },
}

const create: Command = {
  summary:
    'Creates an OpenID client and prints its secret once; --verification ID, --redirect separated by commas, --ages 18,21, --age-estimate if it may request the estimate, --public for a client without a secret.',
  subject: 'NAME',
  options: {
    verification: { type: 'string' },
    redirect: { type: 'string' },
    ages: { type: 'string' },
    'age-estimate': { type: 'boolean' },
    public: { type: 'boolean' },
  },
  async run({ call, subject, text, flag, services: { openid } }) {
    const body = {
      name: subject,
      verificationId: text('verification') ?? '',
      redirectUris: wordsOf(text('redirect')),
      ageThresholds: wordsOf(text('ages')).map(Number),
      mayAskAgeEstimate: flag('age-estimate'),
      isPublic: flag('public'),
    }
    const make = openid.clients.createOpenidClient
    const result = await call('createOpenidClient', createOpenidClient, make, { body })
    const secret =
      result.clientSecret === undefined
        ? ['It has no secret.']
        : [`Secret: ${result.clientSecret}`, 'The secret is not shown again.']
    return { result, lines: [`Issuer: ${result.issuer}`, `Client: ${result.clientId}`, ...secret] }
  },
}

const update: Command = {
  summary:
    'Changes the given options of an OpenID client: --name, --verification ID, --redirect separated by commas, --ages 18,21 (none: --ages ""), --age-estimate on or off, --public on or off.',
  subject: 'CLIENT',
  options: {
    name: { type: 'string' },
    verification: { type: 'string' },
    redirect: { type: 'string' },
    ages: { type: 'string' },
    'age-estimate': { type: 'string' },
    public: { type: 'string' },
  },
  async run(context) {
    const { call, subject, services } = context
    const body = { clientId: subject, ...changesOf(context) }
    const change = services.openid.clients.updateOpenidClient
    const result = await call('updateOpenidClient', updateOpenidClient, change, { body })
    const secret =
      body.isPublic === false
        ? [`If it has no secret yet, create one with rotate-client-secret ${subject}.`]
        : []
    return { result, lines: [lineOf(result.client), ...secret] }
  },
}

const rotate: Command = {
  summary:
    'Creates a new secret for an OpenID client and prints it once; the previous one works for 24 hours, or ends with --immediately.',
  subject: 'CLIENT',
  options: { immediately: { type: 'boolean' } },
  async run({ call, subject, flag, services: { openid } }) {
    const body = { clientId: subject, immediately: flag('immediately') }
    const handler = openid.clients.rotateOpenidSecret
    const result = await call('rotateOpenidSecret', rotateOpenidSecret, handler, { body })
    return {
      result,
      lines: [
        `Secret: ${result.clientSecret}`,
        'The secret is not shown again.',
        `The previous secret works until ${result.previousValidUntil}.`,
      ],
    }
  },
}

const remove: Command = {
  summary: 'Deletes an OpenID client; its codes and tokens end immediately.',
  subject: 'CLIENT',
  async run({ call, subject, services: { openid } }) {
    const query = { clientId: subject }
    const handler = openid.clients.deleteOpenidClient
    const result = await call('deleteOpenidClient', deleteOpenidClient, handler, { query })
    return { result, lines: [`The client ${subject} is deleted.`] }
  },
}

export const openidCommands: Readonly<Record<string, Command>> = {
  clients,
  'create-client': create,
  'update-client': update,
  'rotate-client-secret': rotate,
  'delete-client': remove,
}

function changesOf(context: Context) {
  const { text } = context
  const [name, verificationId, redirect] = [text('name'), text('verification'), text('redirect')]
  const [ages, mayAskAgeEstimate] = [text('ages'), switchOf(context, 'age-estimate')]
  const isPublic = switchOf(context, 'public')
  return {
    ...(name !== undefined && { name }),
    ...(verificationId !== undefined && { verificationId }),
    ...(redirect !== undefined && { redirectUris: wordsOf(redirect) }),
    ...(ages !== undefined && { ageThresholds: wordsOf(ages).map(Number) }),
    ...(mayAskAgeEstimate !== undefined && { mayAskAgeEstimate }),
    ...(isPublic !== undefined && { isPublic }),
  }
}

/** Validated by the endpoint, like every request. */
function wordsOf(text = ''): string[] {
  return text.split(',').filter((word) => word !== '')
}

function lineOf({ clientId, name, redirectUris, isPublic, isUsable, verificationId }: Client): string {
  const kind = isPublic ? 'public' : 'with a secret'
  const state = isUsable ? `verification ${verificationId}` : 'disabled because its verification was deleted'
  return `${clientId}  ${name}  (${kind})  ${redirectUris.join(',')}  ${state}`
}
