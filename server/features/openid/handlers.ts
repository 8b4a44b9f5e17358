import type { Accounts } from '#server/features/accounts/accounts.ts'
import { existingAccount } from '#server/features/accounts/accounts.ts'
import { environmentOf, type HandlersOf } from '#server/features/callers/callers.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'
import { Problem } from '#shared/problem.ts'
import type { ClientSettings, ClientStore, OpenidClient } from './clients/client-store.ts'
import { refuseRedirects } from './clients/redirect-rules.ts'
import type { Trials } from './clients/trials.ts'
import { fitScopes } from './request-rules.ts'

/** The administration of an account's clients. */
export type OpenidClients = HandlersOf<
  'configuration',
  | 'createOpenidClient'
  | 'getOpenidClients'
  | 'updateOpenidClient'
  | 'deleteOpenidClient'
  | 'rotateOpenidSecret'
  | 'tryOpenidClient'
>

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly verifications: Pick<Verifications, 'find'>
  readonly clients: ClientStore
  readonly trials: Pick<Trials, 'begin'>
  readonly isOn: boolean
  readonly issuerOf: (environment: Environment) => string
}

export function createOpenidClients(services: Dependencies): OpenidClients {
  const { accounts, clients, trials, verifications, isOn, issuerOf } = services

  async function shown(client: OpenidClient) {
    const { secrets: _secrets, sector: _sector, accountId, redirectUris, ageThresholds, ...shown } = client
    const environment = environmentOf(await existingAccount(accounts, accountId))
    const isUsable = (await verifications.find(accountId, client.verificationId)) !== undefined
    const lists = { redirectUris: [...redirectUris], ageThresholds: [...ageThresholds] }
    return { ...shown, ...lists, issuer: issuerOf(environment), environment, isUsable }
  }

  return {
    async createOpenidClient({ body, caller: { accountId } }) {
      if (!isOn)
        throw new Problem('conflict', 'The OpenID provider is off: start the server with OPENID_PROVIDER=on.')
      await refuseUnfit(verifications, accountId, body)
      refuseUnfitName('#/name', body.name)
      const name = canonicalIdentity(body.name)
      const { client, secret } = await clients.create(accountId, { ...body, name })
      const { issuer } = await shown(client)
      return { clientId: client.clientId, issuer, ...(secret !== undefined && { clientSecret: secret }) }
    },
    getOpenidClients: async ({ caller: { accountId } }) => ({
      clients: await Promise.all((await clients.list(accountId)).map(shown)),
    }),
    async updateOpenidClient({ body: { clientId, ...given }, caller: { accountId } }) {
      await refuseUnfit(verifications, accountId, given)
      await refuseUnfitChange(clients, { accountId, clientId, name: given.name })
      return { client: await shown(await clients.update(accountId, clientId, settingsOf(given))) }
    },
    async deleteOpenidClient({ query, caller }) {
      await clients.remove(caller.accountId, query.clientId)
      return {}
    },
    async rotateOpenidSecret({ body: { clientId, immediately }, caller }) {
      const { secret, previousUntil } = await clients.rotate(caller.accountId, clientId, immediately)
      return { clientSecret: secret, previousValidUntil: new Date(previousUntil).toISOString() }
    },
    async tryOpenidClient({ body: { clientId, redirectUri }, caller: { accountId } }) {
      refuseRedirects({ '#/redirectUri': redirectUri })
      const client = await clients.find(clientId)
      if (client?.accountId !== accountId) throw new Problem('not_found', 'The client does not exist.')
      const verification = await verifications.find(accountId, client.verificationId)
      if (verification === undefined) throw new Problem('not_found', 'The verification does not exist.')
      const { issuer } = await shown(client)
      const begun = await trials.begin(client, redirectUri)
      return {
        clientId: begun.clientId,
        issuer,
        scope: fitScopes(client, verification.verificationConfig).join(' '),
        expires: new Date(begun.expires).toISOString(),
        ...(begun.secret !== undefined && { clientSecret: begun.secret }),
      }
    },
  }
}

/** @throws {Problem} 400 for an address, 404 for an unknown verification */
async function refuseUnfit(
  verifications: Dependencies['verifications'],
  accountId: string,
  { redirectUris, verificationId }: ClientChanges,
): Promise<void> {
  refuseRedirects(inList(redirectUris))
  if (verificationId === undefined || (await verifications.find(accountId, verificationId))) return
  throw new Problem('not_found', 'The verification does not exist.')
}

interface ClientRename {
  readonly accountId: string
  readonly clientId: string
  readonly name: string | undefined
}

/** @throws {Problem} 400 for a name that the client does not have already */
async function refuseUnfitChange(
  clients: Pick<ClientStore, 'list'>,
  { accountId, clientId, name }: ClientRename,
): Promise<void> {
  const client = (await clients.list(accountId)).find((one) => one.clientId === clientId)
  if (client !== undefined) refuseUnfitName('#/name', name, [client.name])
}

/** A body's addresses, by the pointers to them. */
function inList(redirectUris: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(redirectUris.map((address, i) => [`#/redirectUris/${i}`, address]))
}

type ClientChanges = { readonly [Name in keyof ClientSettings]?: ClientSettings[Name] | undefined }

/** Absent members stay unchanged. */
function settingsOf({ name, ...given }: ClientChanges): Partial<ClientSettings> {
  const sent = Object.entries(given).filter(([, value]) => value !== undefined)
  const named = name === undefined ? {} : { name: canonicalIdentity(name) }
  return { ...(Object.fromEntries(sent) as Partial<ClientSettings>), ...named }
}
