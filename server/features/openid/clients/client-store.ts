import { randomBytes } from 'node:crypto'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { transact } from '#server/platform/store/transaction.ts'
import { mostOpenidClients } from '#shared/contract/openid/openid-client.ts'
import { Problem } from '#shared/problem.ts'
import { type KeptSecret, keptSecretOf, newSecret, withNewSecret } from './client-secrets.ts'

const mostKept = 1000

/** The client settings that an admin may change. */
export interface ClientSettings {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly verificationId: string
  readonly isPublic: boolean
  readonly ageThresholds: readonly number[]
  readonly mayAskAgeEstimate: boolean
}

/** A site that signs people in. */
export interface OpenidClient extends ClientSettings {
  readonly clientId: string
  readonly accountId: string
  /** ISO 8601. */
  readonly created: string
  /**
   * Clients with the same sector know a person by the same name. The sector is the host of the client's first addresses, or the
   * client itself if they have several hosts. [Note: A sector stays] Addresses that are added later never change a name.
   */
  readonly sector: string
  /** Newest first; empty for a public client. */
  readonly secrets: readonly KeptSecret[]
}

/** The accounts' clients. */
export interface ClientStore {
  /** The secret is undefined for a public client. @throws {Problem} 409 `limit_reached` */
  create(accountId: string, settings: ClientSettings): Promise<{ client: OpenidClient; secret?: string }>
  /** Oldest first. */
  list(accountId: string): Promise<readonly OpenidClient[]>
  /** By the id that the client presents. */
  find(clientId: string): Promise<OpenidClient | undefined>
  /** @throws {Problem} 404 */
  update(accountId: string, clientId: string, change: Partial<ClientSettings>): Promise<OpenidClient>
  /** `previousUntil` in milliseconds since 1970. @throws {Problem} 404; 409 for a public one */
  rotate(
    accountId: string,
    clientId: string,
    immediately: boolean,
  ): Promise<{ secret: string; previousUntil: number }>
  /** @throws {Problem} 404 */
  remove(accountId: string, clientId: string): Promise<void>
}

type Clients = readonly OpenidClient[]

/** The accounts' clients, and each client's owner. */
function createClientTables(store: Store) {
  // [Note: All clients in one record] Two processes then cannot exceed the limit at the same time.
  const table = createTable<Clients>(store, 'openid-client', { kept: mostKept })
  const owners = createTable<string>(store, 'openid-client-owner', { kept: mostKept })

  /** Changes an account's clients, and writes the client `owner` with its account. */
  function change(
    accountId: string,
    make: (clients: Clients) => Clients,
    owner?: { readonly clientId: string; readonly isGone: boolean },
  ): Promise<Clients> {
    return transact(
      store,
      async (transaction) => {
        const after = make((await transaction.read(table, deployment, accountId)) ?? [])
        transaction.put(table, deployment, accountId, after)
        if (owner !== undefined)
          transaction.put(owners, deployment, owner.clientId, owner.isGone ? undefined : accountId)
        return after
      },
      busy,
    )
  }

  const changeOne = async (
    accountId: string,
    clientId: string,
    make: (client: OpenidClient) => OpenidClient,
  ) => {
    const after = await change(accountId, (clients) => {
      const before = oneOf(clients, clientId)
      const changed = make(before)
      return clients.map((one) => (one === before ? changed : one))
    })
    return oneOf(after, clientId)
  }

  return {
    list: async (accountId: string): Promise<Clients> => (await table.get(deployment, accountId)) ?? [],
    ownerOf: (clientId: string) => owners.get(deployment, clientId),
    change,
    changeOne,
  }
}

export function createClientStore(store: Store, now: Clock): ClientStore {
  const { list, ownerOf, change, changeOne } = createClientTables(store)

  return {
    list,
    async find(clientId) {
      const accountId = await ownerOf(clientId)
      if (accountId === undefined) return undefined
      return (await list(accountId)).find((one) => one.clientId === clientId)
    },
    async create(accountId, settings) {
      const clientId = randomBytes(16).toString('hex')
      const secret = settings.isPublic ? undefined : newSecret()
      const created = new Date(now()).toISOString()
      const secrets = secret === undefined ? [] : [keptSecretOf(secret)]
      const sector = sectorOf(settings.redirectUris, clientId)
      const client = { ...settings, clientId, accountId, created, sector, secrets }
      await change(
        accountId,
        (clients) => {
          if (clients.length >= mostOpenidClients) throw tooMany()
          return [...clients, client]
        },
        { clientId, isGone: false },
      )
      return { client, ...(secret !== undefined && { secret }) }
    },
    update: (accountId, clientId, settings) =>
      changeOne(accountId, clientId, (before) => {
        const after = { ...before, ...settings }
        return after.isPublic ? { ...after, secrets: [] } : after
      }),
    async rotate(accountId, clientId, immediately) {
      const secret = newSecret()
      let previousUntil = now()
      await changeOne(accountId, clientId, (before) => {
        if (before.isPublic) throw new Problem('conflict', 'A public client has no secret.')
        const rotated = withNewSecret(before.secrets, secret, { immediately, now: now() })
        previousUntil = rotated.previousUntil
        return { ...before, secrets: rotated.secrets }
      })
      return { secret, previousUntil }
    },
    async remove(accountId, clientId) {
      await change(
        accountId,
        (clients) => {
          const gone = oneOf(clients, clientId)
          return clients.filter((one) => one !== gone)
        },
        { clientId, isGone: true },
      )
    },
  }
}

function sectorOf(redirectUris: readonly string[], clientId: string): string {
  const hosts = new Set(redirectUris.map((address) => new URL(address).hostname))
  return hosts.size === 1 ? [...hosts][0]! : clientId
}

function oneOf(clients: Clients, clientId: string): OpenidClient {
  const found = clients.find((one) => one.clientId === clientId)
  if (found === undefined) throw new Problem('not_found', 'The client does not exist.')
  return found
}

function tooMany(): Problem {
  return new Problem('limit_reached', `An account has at most ${mostOpenidClients} clients.`)
}

function busy(): Problem {
  return new Problem('overloaded', 'The clients are being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}
