import { countOf } from '#server/platform/store/counts.ts'
import { type Clock, removalOf, type Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { Attempt } from './delivery-store.ts'

const minute = 60_000
const hour = 60 * minute
const bucketMilliseconds = 5 * minute
/** A little longer than an hour, so that the oldest bucket of the hour is still there. */
const bucketKeptInSeconds = 70 * 60
const answerKeptInSeconds = 7 * 24 * 3600

/** How an endpoint answered lately. */
export interface EndpointHealth {
  /** Null if nothing was sent in the last 7 days. */
  readonly lastAnswer: Attempt | null
  /** How many attempts were refused in a row, up to now. */
  readonly failures: number
  /** Attempts of the last hour, in steps of 5 minutes. */
  readonly lastHour: { readonly attempts: number; readonly taken: number }
}

/** Counts the attempts at endpoints. [Note: Counted without conflicts] Many deliveries may fail at the same moment. */
export interface EndpointHealths {
  note(accountId: string, endpointId: string, attempt: Attempt, isTaken: boolean): Promise<void>
  of(accountId: string, endpointId: string): Promise<EndpointHealth>
  failuresOf(accountId: string, endpointId: string): Promise<number>
}

export function createEndpointHealths(store: Store, now: Clock): EndpointHealths {
  const answers = createTable<Attempt>(store, 'endpoint-answer')
  const placeOf = (accountId: string, endpointId: string) => `endpoint-count/${accountId}/${endpointId}/`
  const failuresKey = (accountId: string, endpointId: string) => `${placeOf(accountId, endpointId)}failures`

  const failuresOf = async (accountId: string, endpointId: string) =>
    countOf(await store.get(failuresKey(accountId, endpointId)))

  return {
    async note(accountId, endpointId, attempt, isTaken) {
      const bucket = String(Math.floor(now() / bucketMilliseconds)).padStart(10, '0')
      const counted = `${placeOf(accountId, endpointId)}at/${bucket}/${isTaken ? 'taken' : 'refused'}`
      const failures = failuresKey(accountId, endpointId)
      await store.commit(
        [
          { kind: 'add', key: counted, more: 1, expiresInSeconds: bucketKeptInSeconds },
          answers.write(accountId, endpointId, attempt, answerKeptInSeconds),
          isTaken
            ? removalOf(failures)
            : { kind: 'add', key: failures, more: 1, expiresInSeconds: answerKeptInSeconds },
        ],
        [],
      )
    },
    async of(accountId, endpointId) {
      const prefix = `${placeOf(accountId, endpointId)}at/`
      const oldest = Math.floor((now() - hour) / bucketMilliseconds)
      const lastHour = { attempts: 0, taken: 0 }
      for await (const { key, value } of store.list(prefix)) {
        const [bucket, outcome] = key.slice(prefix.length).split('/')
        if (Number(bucket) <= oldest) continue
        lastHour.attempts += countOf(value)
        if (outcome === 'taken') lastHour.taken += countOf(value)
      }
      return {
        lastAnswer: (await answers.get(accountId, endpointId)) ?? null,
        failures: await failuresOf(accountId, endpointId),
        lastHour,
      }
    },
    failuresOf,
  }
}
