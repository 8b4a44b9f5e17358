import { randomUUID } from 'node:crypto'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { busy } from '#server/platform/running/places.ts'
import type { Clock, Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, type Read } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { type FoundPictures, packFound, unpackFound } from './found-pictures.ts'

/** A batch that arrived, without its pictures. */
export interface Batch {
  readonly step: number
  readonly batch: number
  readonly frames: number
  readonly trail: number
  /** The server's clock, milliseconds since 1970. */
  readonly receivedAt: number
  /** Of its pictures and their times: the same batch sent again is recognised by it. */
  readonly digest: string
  /** The process that analyses it. */
  readonly by: string
}

/** The batches that were handed in for the open step of a session, in the order of arrival. */
export interface Intake {
  /** The name under which findings are kept: after a new one replaced it, findings that are still on their way do not count. */
  readonly id: string
  readonly batches: readonly Batch[]
  /** The numbers of batches that were judged with the last step that ended: one that is sent again changes nothing. */
  readonly judged: { readonly step: number; readonly batches: readonly number[] } | null
}

type Whose = Pick<SessionRecord, 'accountId' | 'sessionId'>
type Place = Pick<Batch, 'step' | 'batch'>

/**
 * Batches that were handed in before a step ends, in the store, so that any process can end it. [Note: Two kinds of records] One small record lists the
 * batches that arrived, and guards every commit that depends on it. The findings in each batch are another record. Both are sealed.
 */
export interface Intakes {
  /** An empty one if nothing was handed in. */
  read(whose: Whose): Promise<Read<Intake>>
  write(session: Pick<SessionRecord, 'accountId' | 'sessionId' | 'expiresAt'>, intake: Intake): Write
  /** The findings in a batch; undefined until it is analysed. */
  found(whose: Whose, intake: Intake, place: Place): Promise<FoundPictures | undefined>
  /** Keeps the findings in a batch, unless it was dropped or has some. */
  keep(
    session: Pick<SessionRecord, 'accountId' | 'sessionId' | 'expiresAt'>,
    id: string,
    place: Place,
    found: FoundPictures,
  ): Promise<void>
  /** Removes the findings in these batches, for a commit that also writes the intake. */
  forget(whose: Whose, intake: Intake): Write[]
  /** Removes everything of a session, for a commit that may hold what was read. */
  erased(whose: Whose): Promise<{ readonly writes: readonly Write[]; readonly guard: Guard }>
}

/** Beyond the end of a session its outcome may still be decided. */
const keptBeyondSeconds = 120

export function emptyIntake(judged: Intake['judged'] = null): Intake {
  return { id: randomUUID(), batches: [], judged }
}

export function createIntakes(store: Store, keyRing: KeyRing, now: Clock): Intakes {
  const intakes = createTable<string>(store, 'session-intake')
  const findings = createTable<string>(store, 'session-finding')
  const sessionOf = ({ accountId, sessionId }: Whose) => `${accountId}/${sessionId}`
  const nameOf = (id: string, { step, batch }: Place) => `${id}/${step}/${batch}`
  const secondsFor = ({ expiresAt }: Pick<SessionRecord, 'expiresAt'>) =>
    Math.max(1, (expiresAt - now()) / 1000) + keptBeyondSeconds

  async function read(whose: Whose): Promise<Read<Intake>> {
    const { accountId, sessionId } = whose
    const found = await intakes.read(accountId, sessionId)
    if (found === undefined) return { value: emptyIntake(), guard: intakes.absent(accountId, sessionId) }
    const content = keyRing.open('session-intake', sessionOf(whose), found.value)
    return { value: JSON.parse(content.toString()) as Intake, guard: found.guard }
  }

  const forget = (whose: Whose, { id, batches }: Intake) =>
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
      return unpackFound(keyRing.open('session-finding', `${sessionOf(whose)}/${nameOf(id, place)}`, sealed))
    },
    async keep(session, id, place, found) {
      const owner = sessionOf(session)
      const name = nameOf(id, place)
      const sealed = keyRing.seal('session-finding', `${owner}/${name}`, packFound(found))
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
