import type { Analysis, AnalysisStages } from '#models/rules/analysis.ts'
import { sightOf, turnedPairs } from '#models/rules/liveness/evidence/turned-pairs.ts'
import type { Observation, TurnedPair } from '#models/rules/observation.ts'
import { observe } from '#models/rules/observe.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import { rulesOf, wantedOf } from '#server/features/sessions/access/session-rules.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { type Picture, unreadableFrame } from '#server/platform/http/requests/pictures/frames.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'
import { digestOf } from './picture-digest.ts'
import type { PictureMemory } from './picture-memory.ts'

type Session = Pick<
  SessionRecord,
  'sessionId' | 'accountId' | 'created' | 'settings' | 'observations' | 'progress'
>

/** The findings in one picture, before it is compared with the others in its step. */
export interface FrameFinding {
  readonly observation: Observation
  readonly sight: ReturnType<typeof sightOf>
  /** The number of faces found at first look, and how clear the person's own face is, as a fraction. People are counted where it is clearest. */
  readonly fullness: number
  /** The number of faces of any size; absent if they were not counted in this picture. */
  readonly inView?: number
}

/** True while a picture gives way to the account's other work. */
export type EarlyCheck = () => boolean

/**
 * Examines a session's pictures with the server's own analysis.
 * [Note: What was handed in is judged] even if the page has gone by then: its retry, or the integrator, gets the result.
 */
export interface AnalyseFrames {
  /** Analyses one picture; `index` is its position in the request. @throws {Problem} 400 if it cannot be decoded */
  look(
    picture: Picture,
    session: Session,
    receivedAt: number,
    index: number,
    isEarly?: EarlyCheck,
  ): Promise<FrameFinding>
  /** Analyses the pictures, one per worker at a time. The same pictures are not analysed again. */
  lookAtAll(pictures: readonly Picture[], session: Session, receivedAt: number): Promise<FrameFinding[]>
  /** Counts the faces of any size in view. */
  count(picture: Picture, session: Session, isEarly?: EarlyCheck): Promise<number>
  /** Analyses the pictures, one per worker at a time, and compares them with each other and with earlier findings in their step. */
  judge(
    pictures: readonly Picture[],
    session: Session,
    receivedAt: number,
    early?: readonly FrameFinding[],
  ): Promise<Observation[]>
}

/** [Note: Age and gender are read at rest] They are the most expensive stages, and the least accurate while the head moves. */
function atRestOnly({ step }: Picture, { demographic, ...wanted }: AnalysisStages): AnalysisStages {
  return step === 0 && demographic ? { ...wanted, demographic } : wanted
}

function requestOf({ accountId }: Session, isEarly?: EarlyCheck) {
  const { signal } = new AbortController()
  return { accountId, signal, ...(isEarly && { isEarly }) }
}

/** Creates the function that analyses one picture. */
function createLook(
  analysis: AnalysisService,
  memory: Pick<PictureMemory, 'findReuse'>,
  allowedActions: readonly Action[],
): AnalyseFrames['look'] {
  return async (picture, session, receivedAt, index, isEarly) => {
    const wanted = wantedOf(rulesOf(session.settings), allowedActions)
    const found = await analysis
      .analyse(picture.bytes, atRestOnly(picture, wanted), requestOf(session, isEarly))
      .catch((error) => {
        throw error instanceof Problem && error.code === 'unreadable_image' ? unreadableFrame(index) : error
      })
    const remembers = wanted.liveness !== undefined
    const reused = remembers ? await memory.findReuse(session, picture.bytes, found) : 'none'
    const { step, time } = picture
    const digest = remembers ? digestOf(picture.bytes, found) : ''
    const observation = observe(found, { step, time, receivedAt, reused, digest })
    return { observation, sight: sightOf(found), fullness: fullnessOf(found) }
  }
}

export function createAnalyseFrames(
  analysis: AnalysisService,
  memory: Pick<PictureMemory, 'findReuse'>,
  allowedActions: readonly Action[],
): AnalyseFrames {
  /** [Note: No picture is analysed twice] If a request's commit was lost, its retry brings the same pictures. */
  const looked = new WeakMap<Picture, FrameFinding>()
  const look = createLook(analysis, memory, allowedActions)

  async function lookOnce(picture: Picture, session: Session, receivedAt: number, index: number) {
    const finding = looked.get(picture) ?? (await look(picture, session, receivedAt, index))
    looked.set(picture, finding)
    return finding
  }

  const lookAtAll: AnalyseFrames['lookAtAll'] = (pictures, session, receivedAt) =>
    mapConcurrent(pictures, analysis.parallel, (picture, index) =>
      lookOnce(picture, session, receivedAt, index),
    )

  async function count(picture: Picture, session: Session, isEarly?: EarlyCheck): Promise<number> {
    const { faces, others } = await analysis.analyse(
      picture.bytes,
      { group: true },
      requestOf(session, isEarly),
    )
    return faces.length + others.length
  }

  return {
    look,
    lookAtAll,
    count,
    async judge(pictures, session, receivedAt, early = []) {
      const seen = [...early, ...(await lookAtAll(pictures, session, receivedAt))]
      if (seen.length === 0) return []
      const { fullest, inView } = isCounted(session)
        ? {}
        : await countIn(pictures, seen, (picture) => count(picture, session))
      const pairs = pairsByStep(seen, session)
      return seen.map(({ observation }, i) => ({
        ...observation,
        ...(pairs[i] !== undefined && { turned: pairs[i] }),
        ...(i === fullest && inView !== undefined && { inView }),
      }))
    },
  }
}

/**
 * [Note: Everybody in view is counted once] Counts faces of any size in the fullest picture, unless the visit already has a count. An early picture
 * arrives with its own count.
 */
async function countIn(
  pictures: readonly Picture[],
  seen: readonly FrameFinding[],
  count: (picture: Picture) => Promise<number>,
): Promise<{ readonly fullest?: number; readonly inView?: number | undefined }> {
  const fullest = fullestOf(seen)
  const { inView } = seen[fullest]!
  const own = pictures[fullest - (seen.length - pictures.length)]
  if (inView !== undefined || own === undefined) return { fullest, inView }
  return { fullest, inView: await count(own) }
}

/** True if an earlier request in this visit already counted the faces in view. */
export function isCounted({ observations }: Pick<Session, 'observations'>): boolean {
  return observations.some(({ inView = 0 }) => inView > 0)
}

/**
 * [Note: Compared within a step] A kiosk's capture brings every step at once, and each turn has its own straight look. The pictures of an action that
 * was replaced are not compared with those of the new one.
 */
function pairsByStep(
  seen: readonly FrameFinding[],
  { progress: { open } }: Pick<Session, 'progress'>,
): (TurnedPair | undefined)[] {
  const pairs = seen.map((): TurnedPair | undefined => undefined)
  const groups = new Map<string, number[]>()
  for (const [at, { observation }] of seen.entries()) {
    const { step, receivedAt } = observation
    const key = `${step} ${step === open?.step && receivedAt < (open.exchangedAt ?? 0)}`
    groups.set(key, [...(groups.get(key) ?? []), at])
  }
  for (const places of groups.values()) {
    const found = turnedPairs(places.map((at) => seen[at]!.sight))
    for (const [i, at] of places.entries()) pairs[at] = found[i]
  }
  return pairs
}

function fullnessOf({ faces, others }: Analysis): number {
  return faces.length + others.length + (faces[0]?.clarity.share ?? 0) / 2
}

/** The picture with the most faces at first look. Among equals, the one that shows the person's own face most clearly. */
export function fullestOf(seen: readonly Pick<FrameFinding, 'fullness'>[]): number {
  const ranks = seen.map(({ fullness }) => fullness)
  return ranks.indexOf(Math.max(...ranks))
}
