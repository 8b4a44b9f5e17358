import { retentionInMilliseconds } from '#server/features/sessions/records/session-record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'

/** A picture submitted with a session. */
export interface NewPicture {
  readonly sessionId: string
  /** When the picture is forgotten, in milliseconds since 1970. */
  readonly until: number
  /** A keyed hash of the picture's bytes. */
  readonly hash: string
  /** Numbers that recognise the picture after re-encoding; undefined if it has none. */
  readonly numbers: Float32Array | undefined
}

/** The log entry for a picture that has numbers. */
export interface LoggedPicture {
  readonly sequence: number
  readonly sessionId: string
  readonly until: number
  readonly numbers: Float32Array
}

/** An instruction to forget some entries. It does not name the session, because the session is being erased. */
interface ForgottenEntries {
  readonly sequence: number
  readonly forgets: readonly number[]
}

export type LogEntry = LoggedPicture | ForgottenEntries

/** A picture's owner, and the entry for its numbers; null if it has none. */
export interface PicturePlace {
  readonly sessionId: string
  readonly sequence: number | null
}

/**
 * [Note: One log for all processes] The pictures from the last 7 days, in the order in which the store accepted them. Each
 * process resumes reading where it stopped. If two processes bring the same picture at once, exactly one is first and the
 * other finds it. Erased entries are erased everywhere.
 */
export interface PictureLog {
  /** Adds new pictures in one commit. Returns each picture's first owner, and the end of the log. */
  add(pictures: readonly NewPicture[]): Promise<{ noted: readonly PicturePlace[]; end: number }>
  /** The last entry's sequence; 0 before the first. */
  end(): Promise<number>
  all(): AsyncIterable<LogEntry>
  /** The entries for these sequences that have not been erased. */
  entries(sequences: readonly number[]): Promise<LogEntry[]>
  /** Erases a session's pictures and notifies the other processes. */
  forget(sessionId: string): Promise<void>
}

interface StoredPicture extends Omit<LoggedPicture, 'numbers'> {
  /** The picture's numbers, sealed because they are derived from the picture. */
  readonly sealed: string
}

interface SessionPicture {
  readonly hash: string
  readonly sequence: number | null
}

/** The log itself: its sealed entries and its end. */
function createEntries(store: Store, keyRing: KeyRing) {
  const log = createTable<StoredPicture | ForgottenEntries>(store, 'picture-log')
  const ends = createTable<number>(store, 'picture-log-end')

  const contextOf = ({ sequence, sessionId, until }: Omit<LoggedPicture, 'numbers'>) =>
    `${sequence}/${sessionId}/${until}`

  /** [Note: A literal is read faster] Reading a copy made by rest or spread is slower, and every lookup reads all entries. */
  function opened(stored: StoredPicture | ForgottenEntries): LogEntry {
    if ('forgets' in stored) return stored
    const { sequence, sessionId, until, sealed } = stored
    const bytes = Uint8Array.from(keyRing.open('picture-print', contextOf(stored), sealed))
    return { sequence, sessionId, until, numbers: new Float32Array(bytes.buffer) }
  }

  return {
    /** The write for an entry, which expires after this many seconds. */
    write: (entry: StoredPicture | ForgottenEntries, seconds: number) =>
      log.write(deployment, String(entry.sequence), entry, seconds),
    erase: (sequence: number) => log.write(deployment, String(sequence), undefined),
    seal({ numbers, ...picture }: LoggedPicture): StoredPicture {
      const content = new Uint8Array(numbers.buffer)
      return { ...picture, sealed: keyRing.seal('picture-print', contextOf(picture), content) }
    },
    async *all(): AsyncIterable<LogEntry> {
      for await (const stored of log.listReadable(deployment)) yield opened(stored)
    },
    async entries(sequences: readonly number[]): Promise<LogEntry[]> {
      const found = await Promise.all(sequences.map((sequence) => log.get(deployment, String(sequence))))
      return found.filter((stored) => stored !== undefined).map(opened)
    },
    /** The current end, and the write that moves it. */
    async readEnd() {
      const read = await ends.read(deployment, 'end')
      return {
        end: read?.value ?? 0,
        guard: read?.guard ?? ends.absent(deployment, 'end'),
        move: (end: number) => ends.write(deployment, 'end', end),
      }
    },
  }
}

export function createPictureLog(store: Store, keyRing: KeyRing, now: Clock): PictureLog {
  const hashes = createTable<string>(store, 'picture')
  const ofSession = createTable<SessionPicture>(store, 'session-picture')
  const log = createEntries(store, keyRing)

  async function findOwner({ hash, sessionId }: NewPicture): Promise<PicturePlace | undefined> {
    const owner = await hashes.get(deployment, hash)
    if (owner === undefined) return undefined
    const kept = owner === sessionId ? await ofSession.get(sessionId, hash) : undefined
    return { sessionId: owner, sequence: kept?.sequence ?? null }
  }

  function writesOf({ sessionId, until, hash, numbers }: NewPicture, sequence: number | null): Write[] {
    const left = Math.max(1, (until - now()) / 1000)
    return [
      hashes.write(deployment, hash, sessionId, left),
      ofSession.write(sessionId, hash, { hash, sequence }, left),
      ...(sequence === null || numbers === undefined
        ? []
        : [log.write(log.seal({ sequence, sessionId, until, numbers }), left)]),
    ]
  }

  async function tryToAdd(pictures: readonly NewPicture[]) {
    const before = await log.readEnd()
    const known = await Promise.all(pictures.map(findOwner))
    const { noted, fresh, end } = numbered(pictures, known, before.end)
    const writes = fresh.flatMap(([picture, sequence]) => writesOf(picture, sequence))
    const guards = fresh.map(([{ hash }]) => hashes.absent(deployment, hash))
    if (end > before.end) {
      writes.push(before.move(end))
      guards.push(before.guard)
    }
    const holds = writes.length === 0 || (await store.commit(writes, guards))
    return holds ? { noted, end } : undefined
  }

  async function tryToForget(sessionId: string): Promise<true | undefined> {
    const before = await log.readEnd()
    const writes: Write[] = []
    const forgets: number[] = []
    for await (const { hash, sequence } of ofSession.list(sessionId)) {
      writes.push(hashes.write(deployment, hash, undefined), ofSession.write(sessionId, hash, undefined))
      if (sequence !== null) forgets.push(sequence)
    }
    if (writes.length === 0) return true
    writes.push(...forgets.map(log.erase))
    const sequence = before.end + 1
    writes.push(log.write({ sequence, forgets }, retentionInMilliseconds / 1000), before.move(sequence))
    return (await store.commit(writes, [before.guard])) || undefined
  }

  return {
    add: (pictures) => retryOnConflict(() => tryToAdd(pictures), busy),
    end: async () => (await log.readEnd()).end,
    all: log.all,
    entries: log.entries,
    forget: async (sessionId) => void (await retryOnConflict(() => tryToForget(sessionId), busy)),
  }
}

/** Assigns the next sequences to new pictures with numbers. If two are equal, only the first is new. */
function numbered(
  pictures: readonly NewPicture[],
  known: readonly (PicturePlace | undefined)[],
  before: number,
) {
  const first = new Map<string, PicturePlace>()
  const fresh: [NewPicture, PicturePlace['sequence']][] = []
  let end = before
  const noted = pictures.map((picture, i): PicturePlace => {
    const found = known[i] ?? first.get(picture.hash)
    if (found !== undefined) return found
    const sequence = picture.numbers ? ++end : null
    fresh.push([picture, sequence])
    const own = { sessionId: picture.sessionId, sequence }
    first.set(picture.hash, own)
    return own
  })
  return { noted, fresh, end }
}

function busy(): Problem {
  return new Problem('overloaded', 'The server is busy. Try again shortly.', { retryAfterInSeconds: 2 })
}
