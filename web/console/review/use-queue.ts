import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { useConsole, useMay, useMe } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { type Review, saveReview, undoReview } from '#web/console/sessions/reviewing.ts'
import type { WithdrawableReview } from '#web/console/sessions/undo-note.tsx'
import {
  countOf,
  nowhere,
  type Place,
  placeOf,
  placeWithin,
  type Queue,
  queuePage,
  standingAt,
  wantsNext,
  withNext,
} from './queue.ts'

const waiting = { limit: queuePage, order: 'leastCertain' } as const
const none: Queue = { sessions: [], cursor: null }

/** Which of the waiting sessions the queue has. */
interface Chosen {
  readonly withPassed: boolean
  /** True for those that are assigned to the person who is signed in. */
  readonly isMine: boolean
  /** True for sessions that someone else has decided and that wait for a second opinion. */
  readonly isSecond: boolean
}

/**
 * The queue, the reviewer's position, and actions on the current session. [Note: An answer is about its own session] Position, notes and
 * conflicting reviews are stored per session id, so that a late answer never affects another session.
 */
export function useQueue(chosen: Chosen) {
  const { words, calls, tell } = useConsole()
  const may = useMay()
  const [done, setDone] = useState<ReadonlySet<string>>(new Set())
  const [place, setPlace] = useState<Place>(nowhere)
  const notes = useById<string>()
  const fasters = useById<Review>()
  const [decided, setDecided] = useState<WithdrawableReview | undefined>(undefined)
  const doing = useDoing()
  const { found, whole, seconds } = useFound(chosen, place.index, done)
  const queue = whole.sessions.filter(({ verificationSessionId }) => !done.has(verificationSessionId))
  const at = standingAt(queue, place)
  const session: ListedSession | undefined = queue[at]
  const id = session?.verificationSessionId ?? ''
  const shown = useRef(id)
  shown.current = id
  useEffect(() => {
    if (id !== '') setPlace((now) => (now === place ? { id, index: at } : now))
  }, [id, at])
  const forget = (one: string) => {
    fasters.put(one, undefined)
    notes.put(one, undefined)
  }
  const drop = (one: string) => {
    setDone((before) => new Set([...before, one]))
    forget(one)
  }
  const note = notes.of(id) ?? ''
  const faster = fasters.of(id)
  const move = (by: number) => {
    // The queue advances automatically after a decision.
    if (doing.isBusy) return
    if (faster !== undefined) return drop(id)
    const index = placeWithin(at + by, queue.length)
    setPlace({ id: queue[index]?.verificationSessionId, index })
  }
  const decide = (decision: 'Pass' | 'Fail') =>
    doing.run(async () => {
      if (session === undefined || !may('reviewSession')) return
      if (chosen.isSecond) {
        await calls.configuration.giveSecondOpinion({ verificationSessionId: id, decision })
        tell(words.value.review.opinionGiven)
        return drop(id)
      }
      const saved = await saveReview(calls, session, { decision, note })
      fasters.put(id, saved.faster)
      if (saved.faster !== undefined) return
      drop(id)
      setDecided({ id, decision, reviewedAt: saved.reviewedAt })
    })
  const undo = () =>
    doing.run(async () => {
      if (decided === undefined) return
      setDecided(undefined)
      await undoReview(calls, decided.id, decided.reviewedAt)
      setDone((before) => new Set([...before].filter((one) => one !== decided.id)))
      if (shown.current === id) setPlace({ id: decided.id, index: placeOf(whole, done, decided.id) })
      forget(decided.id)
      tell(words.value.undoing.undone)
    })
  const count = countOf(whole, queue.length)
  const setNote = (words: string) => notes.put(id, words)
  const over = () => setDecided(undefined)
  return {
    found,
    seconds,
    doing,
    session,
    at,
    count,
    note,
    setNote,
    faster,
    move,
    decide,
    decided,
    undo,
    over,
  }
}

/** Values per session id. */
function useById<T>() {
  const [kept, setKept] = useState<Readonly<Record<string, T | undefined>>>({})
  return {
    of: (id: string) => kept[id],
    put: (id: string, value: T | undefined) => setKept((before) => ({ ...before, [id]: value })),
  }
}

/** Combines the server's queue with the pages loaded so far, and counts the sessions that wait for a second opinion. */
function useFound({ withPassed, isMine, isSecond }: Chosen, place: number, done: ReadonlySet<string>) {
  const { calls } = useConsole()
  const { name } = useMe()
  const may = useMay()
  const review = withPassed ? 'waiting' : 'wanted'
  const mine = isMine ? { assignedTo: name } : {}
  const ask = (more: { cursor?: string } = {}) =>
    calls.configuration.getSessions({ ...waiting, review, ...mine, ...more })
  const decided = useAccountData(() => askForSeconds(calls, may('getSecondOpinions')))
  const usual = useAccountData(() => ask(), isSecond ? null : [withPassed, isMine])
  const found = isSecond ? decided : usual
  const seconds = (decided.value ?? none).sessions.filter(({ verificationSessionId: id }) => !done.has(id))
  const whole = useWhole(found.value, place, done, (cursor) => ask({ cursor }))
  return { found, whole, seconds: seconds.length }
}

async function askForSeconds({ configuration }: ConsoleCalls, isAllowed: boolean): Promise<Queue> {
  return isAllowed ? { ...(await configuration.getSecondOpinions()), cursor: null } : none
}

/** Loads further pages when few sessions remain. After an error, the next step tries again. */
function useWhole(
  first: Queue | undefined,
  place: number,
  done: ReadonlySet<string>,
  ask: (cursor: string) => Promise<Queue>,
): Queue {
  const [whole, setWhole] = useState<Queue>(none)
  const asking = useRef<string | undefined>(undefined)
  useEffect(() => setWhole(first ?? none), [first])
  const gone = whole.sessions.filter(({ verificationSessionId: id }) => done.has(id)).length
  useEffect(() => {
    const { cursor } = whole
    if (!wantsNext(whole, whole.sessions.length - gone - place) || asking.current === cursor) return
    asking.current = cursor!
    ask(cursor!)
      .then((page) => setWhole((now) => (now.cursor === cursor ? withNext(now, page) : now)))
      .catch(() => undefined)
      .finally(() => {
        asking.current = undefined
      })
  }, [whole, place, gone])
  return whole
}
