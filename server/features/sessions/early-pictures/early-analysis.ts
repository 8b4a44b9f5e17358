import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import type { AnalyseFilm } from '#server/features/sessions/pictures/analyse-film.ts'
import {
  type AnalyseFrames,
  type FrameFinding,
  fullestOf,
  isCounted,
} from '#server/features/sessions/pictures/analyse-frames.ts'
import { drawFilmFaces, filmFacesOfBatch } from '#server/features/sessions/pictures/film-faces.ts'
import type { BatchSubmission } from '#server/features/sessions/pictures/submission.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { Picture } from '#server/platform/http/requests/pictures/frames.ts'
import { Problem } from '#shared/problem.ts'
import type { BatchFindings } from './batch-findings.ts'
import { createEarlyLine } from './early-line.ts'
import type { Batch, Intakes } from './intake.ts'

/** A batch of pictures waiting for analysis. */
export interface EarlyBatch {
  /** The session's record when the pictures arrived. */
  readonly session: SessionRecord
  /** The name of the intake that received them. */
  readonly intakeId: string
  readonly batch: Batch
  readonly submission: BatchSubmission
}

/** Analyses early pictures, giving way to every picture in an open request. */
export interface EarlyAnalysis {
  add(batch: EarlyBatch): void
  /** Lets this session's pictures go first because its step is ending, until the returned function is called. */
  urge(session: Pick<SessionRecord, 'accountId' | 'sessionId'>): () => void
  /** Counts a batch that is about to be added as in progress, until the returned function is called. */
  expect(session: Pick<SessionRecord, 'accountId' | 'sessionId'>): () => void
  /** Resolves when one of this session's tasks finishes; undefined if this process has none. */
  underWay(session: Pick<SessionRecord, 'accountId' | 'sessionId'>): Promise<void> | undefined
  isIdle(): boolean
  /** Resolves when every added batch is analysed. */
  settle(): Promise<void>
}

interface Dependencies {
  readonly frames: Pick<AnalyseFrames, 'look' | 'count'>
  readonly film: Pick<AnalyseFilm, 'wants' | 'look'>
  readonly parallel: number
  readonly intakes: Pick<Intakes, 'keep'>
  readonly evidence: Pick<Evidence, 'gather'>
  /** Receives the reason that a batch could not be analysed. */
  readonly onLost: (error: unknown) => void
}

export function createEarlyAnalysis(services: Dependencies): EarlyAnalysis {
  const { intakes, evidence, onLost } = services
  const line = createEarlyLine(services.parallel)
  const { follow, first, isIdle } = createWorkUnderWay()
  const added = new Set<Promise<void>>()
  const countFullest = createCountFullest()

  async function analyse(early: EarlyBatch, key: string): Promise<void> {
    const { session, intakeId, batch, submission } = early
    const { pictures, trail } = submission
    const at = { session: key, accountId: session.accountId }
    const filmed = services.film.wants(session) ? trail : []
    const drawn = drawFilmFaces(filmed.length, filmFacesOfBatch(filmed.length))
    const [frames, film] = await Promise.all([
      readable(pictures, (picture, index) =>
        line.run(at, (isEarly) => services.frames.look(picture, session, batch.receivedAt, index, isEarly)),
      ),
      readable(filmed, (picture, index) =>
        line.run(at, (isEarly) =>
          services.film.look(picture, session, batch.receivedAt, index, {
            embedding: drawn.has(index),
            isEarly,
          }),
        ),
      ),
    ])
    const seen = await countFullest(early, frames, (picture) =>
      line.run(at, (isEarly) => services.frames.count(picture, session, isEarly)),
    )
    const findings: BatchFindings = { frames: seen, film: film.map(({ finding }) => finding) }
    const readablePictures = { pictures: frames.map(({ picture }) => picture), trail }
    const observations = seen.map(({ observation }) => observation)
    evidence.gather(session, readablePictures, observations, session.tries + 1)
    await intakes.keep(session, intakeId, batch, findings)
  }

  return {
    add(early) {
      const key = keyOf(early.session)
      const work = patiently(() => analyse(early, key))
        .catch(onLost)
        .finally(() => {
          added.delete(work)
          early.submission.lease.free()
        })
      added.add(work)
      follow(key, work)
    },
    expect(session) {
      let done = () => {}
      const expected = new Promise<void>((over) => {
        done = over
      })
      follow(keyOf(session), expected)
      return () => done()
    },
    urge: (session) => line.urge(keyOf(session)),
    underWay: (session) => first(keyOf(session)),
    isIdle,
    async settle() {
      while (added.size > 0) await Promise.all(added)
    },
  }
}

/** Keeps track of work in progress, by owner. */
function createWorkUnderWay() {
  const underWay = new Map<string, Set<Promise<void>>>()
  return {
    follow(key: string, work: Promise<void>): void {
      const all = underWay.get(key) ?? new Set()
      underWay.set(key, all)
      const followed = work.finally(() => {
        all.delete(followed)
        if (all.size === 0 && underWay.get(key) === all) underWay.delete(key)
      })
      all.add(followed)
    },
    /** Resolves when the first task finishes; undefined if there are none. */
    first(key: string): Promise<void> | undefined {
      const all = underWay.get(key)
      return all && Promise.race(all)
    },
    isIdle: () => underWay.size === 0,
  }
}

function keyOf({ accountId, sessionId }: Pick<SessionRecord, 'accountId' | 'sessionId'>): string {
  return `${accountId}/${sessionId}`
}

interface ReadablePicture<P, F> {
  readonly picture: P
  readonly finding: F
}

/** [Note: What cannot be decoded shows nothing] The request was answered before decoding, so these pictures only count against the limits. */
async function readable<P, F>(
  pictures: readonly P[],
  look: (picture: P, index: number) => Promise<F>,
): Promise<ReadablePicture<P, F>[]> {
  const found = await Promise.all(
    pictures.map(async (picture, index) => {
      try {
        return [{ picture, finding: await look(picture, index) }]
      } catch (error) {
        if (error instanceof Problem && error.code === 'unreadable_image') return []
        throw error
      }
    }),
  )
  return found.flat()
}

const mostRemembered = 2000

/** How full the fullest picture of an intake is, and when its batch arrived. */
interface Fullest {
  readonly fullness: number
  readonly receivedAt: number
}

/**
 * Counts the people in the batch's fullest picture, unless an earlier batch in this intake had one as full. [Note: The fullest is always
 * counted] Only at the end of the step is it known which picture was the fullest, and by then its bytes are gone. Of equally full ones, the
 * first to arrive counts.
 */
function createCountFullest() {
  const fullest = new Map<string, Fullest>()
  return async (
    { session, intakeId, batch: { receivedAt } }: EarlyBatch,
    frames: readonly ReadablePicture<Picture, FrameFinding>[],
    count: (picture: Picture) => Promise<number>,
  ): Promise<FrameFinding[]> => {
    const findings = frames.map(({ finding }) => finding)
    if (findings.length === 0 || isCounted(session)) return findings
    const index = fullestOf(findings)
    const own: Fullest = { fullness: findings[index]!.fullness, receivedAt }
    const known = fullest.get(intakeId)
    if (known !== undefined && isBefore(known, own)) return findings
    if (fullest.size >= mostRemembered) fullest.clear()
    // Recorded before the count, which takes as long as the next batch takes to arrive.
    fullest.set(intakeId, own)
    const inView = await count(frames[index]!.picture).catch((error) => {
      if (fullest.get(intakeId) === own) fullest.delete(intakeId)
      throw error
    })
    return findings.map((finding, i) => (i === index ? { ...finding, inView } : finding))
  }
}

/** True if the first picture counts whatever the second one shows. */
function isBefore(one: Fullest, other: Fullest): boolean {
  return (
    one.fullness > other.fullness || (one.fullness === other.fullness && one.receivedAt < other.receivedAt)
  )
}

const mostAttempts = 3
const againAfterMilliseconds = 200

/** [Note: A worker may die] That says nothing about the pictures, and their request was already answered, so they are analysed again. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === mostAttempts) throw error
      await new Promise((over) => setTimeout(over, againAfterMilliseconds))
    }
  }
}
