import type { Reuse } from '#models/rules/observation.ts'
import { type LoopTurns, loopTurns } from '#server/platform/running/loop-turns.ts'
import { sortInTurns } from '#server/platform/running/sort-in-turns.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { createKeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import type { LogEntry, LoggedPicture, PictureLog } from './picture-log.ts'
import { compare } from './picture-signature.ts'

/** The part of the picture log that this process has read. */
export interface KnownPictures {
  /** Reads up to this log entry. The given entries do not need to be read. */
  follow(end: number, given: readonly LoggedPicture[]): Promise<void>
  /** Reads up to the current end of the log. No-op before the first lookup. */
  catchUp(): Promise<void>
  /** Compares a picture with the most similar earlier picture from another session. */
  findReuse(picture: LoggedPicture): Promise<Reuse>
}

const readAtOnce = 200
/** How many pictures are compared between two checks of the clock. */
const comparedAtOnce = 256

/** [Note: Prints are held in memory] The store is read in full once, on first use, and afterwards only for additions. */
export function createKnownPictures(log: PictureLog, now: Clock, turns = loopTurns): KnownPictures {
  const mutex = createKeyedMutex()
  let known: LoggedPicture[] | undefined
  let position = 0

  function take(entry: LogEntry): void {
    if ('forgets' in entry) {
      const forgotten = new Set(entry.forgets)
      known = known!.filter(({ sequence }) => !forgotten.has(sequence))
    } else known!.push(entry)
    position = entry.sequence
  }

  async function load(): Promise<void> {
    const end = await log.end()
    const found: LogEntry[] = []
    for await (const entry of log.all()) if (entry.sequence <= end) found.push(entry)
    const ordered = await sortInTurns(found, bySequence, turns)
    known = []
    ordered.forEach(take)
    position = end
  }

  async function readOn(end: number, given: readonly LoggedPicture[]): Promise<void> {
    const own = new Map(given.map((entry) => [entry.sequence, entry]))
    while (position < end) {
      const last = Math.min(end, position + readAtOnce)
      const sequences = Array.from({ length: last - position }, (_, i) => position + 1 + i)
      const others = await log.entries(sequences.filter((sequence) => !own.has(sequence)))
      const mine = sequences.flatMap((sequence) => own.get(sequence) ?? [])
      for (const entry of [...others, ...mine].sort(bySequence)) take(entry)
      position = last
    }
  }

  /** Removes expired pictures from the front. The list is sorted by time, apart from differences in session length. */
  function dropOver(time: number): void {
    const fresh = known!.findIndex(({ until }) => until > time)
    known!.splice(0, fresh < 0 ? known!.length : fresh)
  }

  return {
    follow: (end, given) =>
      mutex.runExclusive('', async () => {
        if (known === undefined) await load()
        await readOn(end, given)
        dropOver(now())
      }),
    catchUp: () =>
      mutex.runExclusive('', async () => {
        if (known === undefined) return
        await readOn(await log.end(), [])
        dropOver(now())
      }),
    findReuse: (picture) => closest(() => known ?? [], picture, now(), turns),
  }
}

function bySequence(a: LogEntry, b: LogEntry): number {
  return a.sequence - b.sequence
}

/** The list may grow and shrink while the lookup yields to other work, so it continues after the last sequence it compared. */
async function closest(
  known: () => readonly LoggedPicture[],
  picture: LoggedPicture,
  time: number,
  turns: LoopTurns,
): Promise<Reuse> {
  let found: Reuse = 'none'
  for (let at = 0, compared = 1; ; compared++) {
    const other = known()[at++]
    if (other === undefined || other.sequence >= picture.sequence) return found
    if (other.sessionId !== picture.sessionId && other.until > time) {
      const reuse = compare(other.numbers, picture.numbers)
      if (reuse === 'same') return 'same'
      if (reuse === 'similar') found = 'similar'
    }
    if (compared % comparedAtOnce !== 0 || !turns.isOver()) continue
    await turns.next()
    at = placeBehind(known(), other.sequence)
  }
}

/** How many pictures there are up to a given sequence. */
function placeBehind(known: readonly LoggedPicture[], sequence: number): number {
  let [low, high] = [0, known.length]
  while (low < high) {
    const mid = (low + high) >> 1
    if (known[mid]!.sequence <= sequence) low = mid + 1
    else high = mid
  }
  return low
}
