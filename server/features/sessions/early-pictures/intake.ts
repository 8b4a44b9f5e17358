import { randomUUID } from 'node:crypto'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { busy } from '#server/platform/running/places.ts'
import type { Clock, Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, type GuardedRecord } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { type BatchFindings, packFindings, unpackFindings } from './batch-findings.ts'

/** A batch that has arrived, without its pictures. */
export interface Batch {
  readonly step: number
  readonly batch: number
  readonly frames: number
  readonly trail: number
  /** The server's clock, milliseconds since 1970. */
  readonly receivedAt: number
  /** A digest of the pictures and their times, which recognises the batch if it is sent again. */
  readonly digest: string
  /** The process that is analysing it. */
  readonly by: string
  /** A process that received it again in the meantime, and analyses it if the other one dies. */
  readonly spare?: string
}

/** The batches received for a session's open step, in order of arrival. */
export interface Intake {
  /** The name under which findings are stored. Once a new intake replaces this one, findings still in flight are ignored. */
  readonly id: string
  readonly batches: readonly Batch[]
  /** The numbers of the batches judged with the previous step. Sending one of them again is a no-op. */
  readonly judged: { readonly step: number; readonly batches: readonly number[] } | null
}

type SessionKey = Pick<SessionRecord, 'accountId' | 'sessionId'>
type BatchPlace = Pick<Batch, 'step' | 'batch'>

/**
 * Stores the batches that arrive before a step ends, so that any process can end it. [Note: Two kinds of records] A small record lists the
 * batches and guards every commit that depends on them. Each batch's findings are a separate record. Both kinds are sealed.
 */
export interface Intakes {
  /** Returns an empty intake if no pictures were sent early. */
  read(whose: SessionKey): Promise<GuardedRecord<Intake>>
  write(session: Pick<SessionRecord, 'accountId' | 'sessionId' | 'expiresAt'>, intake: Intake): Write
  /** A batch's findings; undefined until it has been analysed. */
  found(whose: SessionKey, intake: Intake, place: BatchPlace): Promise<BatchFindings | undefined>
  /** Stores a batch's findings, unless the batch was dropped or already has some. */
  keep(
    session: Pick<SessionRecord, 'accountId' | 'sessionId' | 'expiresAt'>,
    id: string,
    place: BatchPlace,
    found: BatchFindings,
  ): Promise<void>
  /** Removes the findings of these batches, for a commit that also writes the intake. */
  forget(whose: SessionKey, intake: Intake): Write[]
  /** Removes everything stored for a session, for a commit that may depend on it. */
  erased(whose: SessionKey): Promise<{ readonly writes: readonly Write[]; readonly guard: Guard }>
}

/** A session's outcome may still be decided for this long after the session ends. */
const keptBeyondSeconds = 120

export function emptyIntake(judged: Intake['judged'] = null): Intake {
  return { id: randomUUID(), batches: [], judged }
}

export function createIntakes(store: Store, keyRing: KeyRing, now: Clock): Intakes {
  const intakes = createTable<string>(store, 'session-intake')
  const findings = createTable<string>(store, 'session-finding')
  const sessionOf = ({ accountId, sessionId }: SessionKey) => `${accountId}/${sessionId}`
  const nameOf = (id: string, { step, batch }: BatchPlace) => `${id}/${step}/${batch}`
  const secondsFor = ({ expiresAt }: Pick<SessionRecord, 'expiresAt'>) =>
    Math.max(1, (expiresAt - now()) / 1000) + keptBeyondSeconds

  async function read(whose: SessionKey): Promise<GuardedRecord<Intake>> {
    const { accountId, sessionId } = whose
    const found = await intakes.read(accountId, sessionId)
    if (found === undefined) return { value: emptyIntake(), guard: intakes.absent(accountId, sessionId) }
    const content = keyRing.open('session-intake', sessionOf(whose), found.value)
    return { value: JSON.parse(content.toString()) as Intake, guard: found.guard }
  }

  const forget = (whose: SessionKey, { id, batches }: Intake) =>
    batches.map((place) => findings.write(sessionOf(whose), nameOf(id, place), undefined))

  return {
    read,
    write(session, intake) {
      const content = Buffer.from(JSON.stringify(intake))
      const sealed = keyRing.seal('session-intake', sessionOf(session), content)
      return intakes.write(session.accountId, session.sessionId, sealed, secondsFor(session))
    },
    async found(whose, { id }, place) {
      const sealed = await findings.get(sessionOf(whose), nameOf(id, place))
      if (sealed === undefined) return undefined
      return unpackFindings(
        keyRing.open('session-finding', `${sessionOf(whose)}/${nameOf(id, place)}`, sealed),
      )
    },
    async keep(session, id, place, found) {
      const owner = sessionOf(session)
      const name = nameOf(id, place)
      const sealed = keyRing.seal('session-finding', `${owner}/${name}`, packFindings(found))
      const write = findings.write(owner, name, sealed, secondsFor(session))
      await retryOnConflict(async () => {
        const { value, guard } = await read(session)
        if (value.id !== id) return true
        const guards: Guard[] = [guard, findings.absent(owner, name)]
        if ((await store.commit([write], guards)) || (await findings.get(owner, name)) !== undefined)
          return true
        return undefined
      }, busy)
    },
    forget,
    async erased(whose) {
      const { value, guard } = await read(whose)
      if (guard.value === undefined) return { writes: [], guard }
      const own = intakes.write(whose.accountId, whose.sessionId, undefined)
      return { writes: [...forget(whose, value), own], guard }
    },
  }
}
