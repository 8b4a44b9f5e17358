import { randomBytes, randomUUID } from 'node:crypto'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { AccountEventName } from '#shared/contract/account/event.ts'
import { mostEndpoints } from '#shared/contract/account/webhook-endpoint.ts'
import { Problem } from '#shared/problem.ts'

const mostKept = 1000
const switchedOffAfterInMilliseconds = 5 * 24 * 3600 * 1000

/** An account's webhook endpoint. */
export interface WebhookEndpoint {
  readonly endpointId: string
  readonly url: string
  readonly events: readonly AccountEventName[]
  readonly description: string | null
  /** ISO 8601, like the times below. */
  readonly created: string
  readonly sealedSecret: string
  /** The first failure since the last success; null if there is none. */
  readonly failingSince: string | null
  /** When the endpoint was disabled, or null if it is enabled. */
  readonly switchedOff: string | null
}

export type EndpointSettings = Pick<WebhookEndpoint, 'url' | 'events' | 'description'>

/** The accounts' endpoints. */
export interface EndpointStore {
  /** @throws {Problem} 409 `limit_reached` */
  create(accountId: string, settings: EndpointSettings): Promise<{ endpointId: string; secret: Buffer }>
  /** Oldest first. */
  list(accountId: string): Promise<readonly WebhookEndpoint[]>
  find(accountId: string, endpointId: string): Promise<WebhookEndpoint | undefined>
  /** @throws {Problem} 404 */
  update(
    accountId: string,
    endpointId: string,
    change: Partial<EndpointSettings> & { readonly enabled?: boolean },
  ): Promise<WebhookEndpoint>
  /** @throws {Problem} 404 */
  remove(accountId: string, endpointId: string): Promise<void>
  /** Disables an endpoint that has been failing for five days. */
  noteOutcome(accountId: string, endpointId: string, isTaken: boolean): Promise<void>
  secretOf(accountId: string, endpoint: WebhookEndpoint): Buffer
}

type Change = (endpoints: readonly WebhookEndpoint[]) => readonly WebhookEndpoint[]

/** [Note: All endpoints in one record] Two processes then cannot create an eleventh endpoint at the same time. */
function createChanges(store: Store) {
  const table = createTable<readonly WebhookEndpoint[]>(store, 'webhook-endpoint', { kept: mostKept })

  function change(accountId: string, make: Change): Promise<readonly WebhookEndpoint[]> {
    return retryOnConflict(async () => {
      const before = await table.read(deployment, accountId)
      const after = make(before?.value ?? [])
      if (after === before?.value) return after
      const write = table.write(deployment, accountId, after)
      const guard = before?.guard ?? table.absent(deployment, accountId)
      return (await store.commit([write], [guard])) ? after : undefined
    }, busy)
  }

  return {
    list: async (accountId: string) => (await table.get(deployment, accountId)) ?? [],
    change,
    /** Changes one endpoint. If `make` returns the same object, nothing is written. */
    async changeOne(
      accountId: string,
      endpointId: string,
      make: (endpoint: WebhookEndpoint) => WebhookEndpoint,
    ): Promise<WebhookEndpoint> {
      const after = await change(accountId, (endpoints) => {
        const before = oneOf(endpoints, endpointId)
        const changed = make(before)
        return changed === before ? endpoints : endpoints.map((one) => (one === before ? changed : one))
      })
      return oneOf(after, endpointId)
    },
  }
}

export function createEndpointStore(store: Store, keyRing: KeyRing, now: Clock): EndpointStore {
  const { list, change, changeOne } = createChanges(store)
  const contextOf = (accountId: string, endpointId: string) => `${accountId}/${endpointId}`
  const time = () => new Date(now()).toISOString()

  return {
    list,
    find: async (accountId, endpointId) =>
      (await list(accountId)).find((one) => one.endpointId === endpointId),
    async create(accountId, settings) {
      const endpointId = randomUUID()
      const secret = randomBytes(32)
      const sealedSecret = keyRing.seal('webhook-endpoint', contextOf(accountId, endpointId), secret)
      const times = { created: time(), failingSince: null, switchedOff: null }
      await change(accountId, (endpoints) => {
        if (endpoints.length >= mostEndpoints) throw tooMany()
        return [...endpoints, { endpointId, ...settings, ...times, sealedSecret }]
      })
      return { endpointId, secret }
    },
    update: (accountId, endpointId, { enabled, ...settings }) =>
      changeOne(accountId, endpointId, (before) => ({
        ...before,
        ...settings,
        ...(enabled === true ? { failingSince: null, switchedOff: null } : {}),
        ...(enabled === false ? { switchedOff: before.switchedOff ?? time() } : {}),
      })),
    async remove(accountId, endpointId) {
      await change(accountId, (endpoints) => {
        const gone = oneOf(endpoints, endpointId)
        return endpoints.filter((one) => one !== gone)
      })
    },
    async noteOutcome(accountId, endpointId, isTaken) {
      const known = (await list(accountId)).find((one) => one.endpointId === endpointId)
      if (known === undefined || afterOutcome(known, isTaken, now()) === known) return
      await changeOne(accountId, endpointId, (before) => afterOutcome(before, isTaken, now()))
    },
    secretOf: (accountId, { endpointId, sealedSecret }) =>
      keyRing.open('webhook-endpoint', contextOf(accountId, endpointId), sealedSecret),
  }
}

/** Returns the same object if nothing changes. */
function afterOutcome(endpoint: WebhookEndpoint, isTaken: boolean, now: number): WebhookEndpoint {
  const { failingSince, switchedOff } = endpoint
  if (isTaken) return failingSince === null ? endpoint : { ...endpoint, failingSince: null }
  const time = new Date(now).toISOString()
  if (failingSince === null) return { ...endpoint, failingSince: time }
  const isOver = now - Date.parse(failingSince) >= switchedOffAfterInMilliseconds
  return isOver && switchedOff === null ? { ...endpoint, switchedOff: time } : endpoint
}

function oneOf(endpoints: readonly WebhookEndpoint[], endpointId: string): WebhookEndpoint {
  const found = endpoints.find((one) => one.endpointId === endpointId)
  if (found === undefined) throw new Problem('not_found', 'The endpoint does not exist.')
  return found
}

function tooMany(): Problem {
  return new Problem('limit_reached', `An account has at most ${mostEndpoints} endpoints.`)
}

function busy(): Problem {
  return new Problem('overloaded', 'The endpoints are being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}
