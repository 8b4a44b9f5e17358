import { randomBytes } from 'node:crypto'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { lifetimes } from '../lifetimes.ts'
import { type KeptSecret, keptSecretOf, newSecret } from './client-secrets.ts'
import type { ClientStore, OpenidClient } from './client-store.ts'

/** A prefix that client IDs never have, because they are hexadecimal. */
const beginning = 'try.'

/** True for a trial's client ID. */
export function isTrial(clientId: string): boolean {
  return clientId.startsWith(beginning)
}

interface Trial {
  /** The client that is being tried. */
  readonly clientId: string
  readonly redirectUri: string
  readonly secrets: readonly KeptSecret[]
}

/** Temporary clients for trying out a sign-in, each valid for as long as a sign-in may take. */
export interface Trials {
  /** `expires` in milliseconds since 1970; the secret is undefined for a public client. */
  begin(
    client: OpenidClient,
    redirectUri: string,
  ): Promise<{ clientId: string; secret: string | undefined; expires: number }>
  /** The client currently being tried, with the trial's ID, secret and address. Ends when the client is deleted. */
  find(clientId: string): Promise<OpenidClient | undefined>
}

export function createTrials(store: Store, clients: Pick<ClientStore, 'find'>, now: Clock): Trials {
  const table = createTable<Trial>(store, 'openid-trial')
  return {
    async begin({ clientId, isPublic }, redirectUri) {
      const id = beginning + randomBytes(16).toString('hex')
      const secret = isPublic ? undefined : newSecret()
      const secrets = secret === undefined ? [] : [keptSecretOf(secret)]
      const seconds = lifetimes.Interaction
      await store.commit([table.write(deployment, id, { clientId, redirectUri, secrets }, seconds)], [])
      return { clientId: id, secret, expires: now() + seconds * 1000 }
    },
    async find(id) {
      const trial = isTrial(id) ? await table.get(deployment, id) : undefined
      const client = trial && (await clients.find(trial.clientId))
      if (trial === undefined || client === undefined) return undefined
      const { redirectUri, secrets } = trial
      return { ...client, clientId: id, redirectUris: [redirectUri], secrets }
    },
  }
}
