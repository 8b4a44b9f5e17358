import { decodeJwt } from 'jose'
import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { environments } from '#shared/contract/environment.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'
import type { ClientStore } from './clients/client-store.ts'

/** A stored entity that can be found without its ID. */
interface Member {
  readonly model: string
  readonly sealedId: string
}

/** An entity in a sign-in that was erased. */
interface NamedEntity {
  readonly environment: Environment
  readonly model: string
  readonly id: string
}

/** Sites' requests that name a person. */
export interface NamedEntities {
  /** Additional writes for a request that names a person; empty if it does not. */
  naming(entity: NamedEntity, payload: object, expiresInSeconds: number | undefined): Promise<Write[]>
  /** Every stored request that names the person, and the writes that remove them from this list. */
  of(accountId: string, externalId: string): Promise<{ named: NamedEntity[]; writes: Write[] }>
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly accounts: Pick<Accounts, 'find' | 'personDigest'>
  readonly clients: Pick<ClientStore, 'find'>
}

const use = 'openid-named'

/**
 * [Note: A request names a person] `login_hint` is an external id that is stored until the sign-in is over, so erasing
 * the person ends these requests too. They are found by a digest that disappears with the account.
 */
export function createNamedEntities({ store, keyRing, accounts, clients }: Dependencies): NamedEntities {
  const table = createTable<Member>(store, use)

  async function derivePlace(
    environment: Environment,
    accountId: string,
    externalId: string,
  ): Promise<string> {
    const digest = accounts.personDigest(await existingAccount(accounts, accountId), externalId)
    return `${environment}/${accountId}/${digest}`
  }

  return {
    async naming({ environment, model, id }, payload, expiresInSeconds) {
      const { client_id: clientId, login_hint: hint } = parametersOf(payload)
      if (typeof hint !== 'string' || typeof clientId !== 'string') return []
      const client = await clients.find(clientId)
      if (client === undefined) return []
      const place = await derivePlace(environment, client.accountId, canonicalIdentity(hint))
      const sealedId = keyRing.seal(use, place, Buffer.from(id))
      return [table.write(place, `${model}/${id}`, { model, sealedId }, expiresInSeconds)]
    },
    async of(accountId, externalId) {
      const named: NamedEntity[] = []
      const writes: Write[] = []
      for (const environment of environments) {
        const place = await derivePlace(environment, accountId, externalId)
        for await (const { model, sealedId } of table.list(place)) {
          const id = keyRing.open(use, place, sealedId).toString()
          named.push({ environment, model, id })
          writes.push(table.write(place, `${model}/${id}`, undefined))
        }
      }
      return { named, writes }
    },
  }
}

/** The request's parameters: plain in a sign-in, the payload of a JWT in a pushed request. */
function parametersOf(payload: object): Readonly<Record<string, unknown>> {
  const { params, request } = payload as { readonly params?: object; readonly request?: unknown }
  return typeof request === 'string' ? decodeJwt(request) : { ...params }
}
