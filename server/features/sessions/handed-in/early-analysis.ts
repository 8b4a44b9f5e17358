import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import type { AnalyseFilm } from '#server/features/sessions/judging/analyse-film.ts'
import {
  type AnalyseFrames,
  type FrameFinding,
  fullestOf,
  isCounted,
} from '#server/features/sessions/judging/analyse-frames.ts'
import { drawFilmFaces, filmFacesOfBatch } from '#server/features/sessions/judging/film-faces.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { Picture } from '#server/platform/http/requests/pictures/frames.ts'
import type { TrailPicture } from '#server/platform/http/requests/pictures/trail.ts'
import type { Lease } from '#server/platform/running/byte-budget.ts'
import { Problem } from '#shared/problem.ts'
import { createEarlyLine } from './early-line.ts'
import type { FoundPictures } from './found-pictures.ts'
import type { Batch, Intakes } from './intake.ts'

/** A batch whose pictures wait for their analysis. */
export interface EarlyBatch {
  /** As it was when they arrived. */
  readonly session: SessionRecord
  /** The name of the intake that they arrived in. */
  readonly intakeId: string
  readonly place: Batch
  readonly pictures: readonly Picture[]
  readonly trail: readonly TrailPicture[]
  /** The memory that they hold. */
  readonly lease: Pick<Lease, 'free'>
}

/** Analyses early pictures after every picture whose request is still open. */
export interface EarlyAnalysis {
  add(batch: EarlyBatch): void
  /** Lets the pictures of this session go first, since its step is ending; until the returned function is called. */
  urge(session: Pick<SessionRecord, 'accountId' | 'sessionId'>): () => void
  /** Counts a batch as under way that is about to be added; until the answer is called. */
  expect(session: Pick<SessionRecord, 'accountId' | 'sessionId'>): () => void
  /** Resolves when something of this session is done; undefined if this process has nothing of it. */
  underWay(session: Pick<SessionRecord, 'accountId' | 'sessionId'>): Promise<void> | undefined
  isIdle(): boolean
}

interface Dependencies {
  readonly frames: Pick<AnalyseFrames, 'look' | 'count'>
  readonly film: Pick<AnalyseFilm, 'wants' | 'look'>
  readonly parallel: number
  readonly intakes: Pick<Intakes, 'keep'>
  readonly evidence: Pick<Evidence, 'gather'>
  /** Hears why a batch could not be analysed. */
  readonly onLost: (error: unknown) => void
}

export function createEarlyAnalysis(services: Dependencies): EarlyAnalysis {
  const { intakes, evidence, onLost } = services
  const line = createEarlyLine(services.parallel)
  const { follow, first, isIdle } = createWorkUnderWay()
  const countFullest = createCountFullest()

  async function analyse(batch: EarlyBatch, key: string): Promise<void> {
    const { session, intakeId, place, pictures, trail } = batch
    const at = { session: key, accountId: session.accountId }
    const filmed = services.film.wants(session) ? trail : []
    const drawn = drawFilmFaces(filmed.length, filmFacesOfBatch(filmed.length))
    const [frames, film] = await Promise.all([
      readable(pictures, (picture, index) =>
        line.run(at, (isEarly) => services.frames.look(picture, session, place.receivedAt, index, isEarly)),
      ),
      readable(filmed, (picture, index) =>
        line.run(at, (isEarly) =>
          services.film.look(picture, session, place.receivedAt, index, {
            embedding: drawn.has(index),
            isEarly,
          }),
        ),
      ),
    ])
    const seen = await countFullest(batch, frames, (picture) =>
      line.run(at, (isEarly) => services.frames.count(picture, session, isEarly)),
    )
    const found: FoundPictures = { frames: seen, film: film.map(({ finding }) => finding) }
    const brought = {
      pictures: frames.map(({ picture }) => picture),
      film: trail,
      seen: seen.map(({ observation }) => observation),
    }
    evidence.gather(session, brought, session.tries + 1)
    await intakes.keep(session, intakeId, place, found)
  }

  return {
    add(batch) {
      const key = keyOf(batch.session)
      follow(
        key,
        patiently(() => analyse(batch, key))
          .catch(onLost)
          .finally(() => batch.lease.free()),
      )
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
  }
}

/** Work that is under way, by whose it is. */
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
    /** Resolves when the first of it is done; undefined if there is none. */
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

interface Readable<P, F> {
  readonly picture: P
  readonly finding: F
}

/** [Note: What cannot be decoded shows nothing] Their request was answered before they were looked at, so these pictures only count against the limits. */
async function readable<P, F>(
  pictures: readonly P[],
  look: (picture: P, index: number) => Promise<F>,
): Promise<Readable<P, F>[]> {
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

/**
 * Counts everybody in view in the fullest picture of a batch, unless a batch before it in the same intake had one as full. [Note: The fullest is always
 * counted] Which picture of the whole step that will be is known only when the step ends, and by then its bytes are gone.
 */
function createCountFullest() {
  const fullest = new Map<string, number>()
  return async (
    { session, intakeId }: EarlyBatch,
    frames: readonly Readable<Picture, FrameFinding>[],
    count: (picture: Picture) => Promise<number>,
  ): Promise<FrameFinding[]> => {
    const findings = frames.map(({ finding }) => finding)
    if (findings.length === 0 || isCounted(session)) return findings
    const index = fullestOf(findings)
    const { fullness } = findings[index]!
    if (fullness < (fullest.get(intakeId) ?? 0)) return findings
    const inView = await count(frames[index]!.picture)
    if (fullest.size >= mostRemembered) fullest.clear()
    fullest.set(intakeId, Math.max(fullness, fullest.get(intakeId) ?? 0))
    return findings.map((finding, i) => (i === index ? { ...finding, inView } : finding))
  }
}

const mostAttempts = 3
const againAfterMilliseconds = 200

/** [Note: A worker may die] Its pictures are not to blame, and their request was answered, so they are analysed again. */
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
