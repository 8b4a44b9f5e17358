import type { Analysis, Wanted } from '#models/rules/analysis.ts'
import { sightOf, type TurnedPair, turnedPairs } from '#models/rules/liveness/evidence/turned-pairs.ts'
import type { Observation } from '#models/rules/observation.ts'
import { observe } from '#models/rules/observe.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import { digestOf } from '#server/features/sessions/pictures/picture-digest.ts'
import type { PictureMemory } from '#server/features/sessions/pictures/picture-memory.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { type Picture, unreadableFrame } from '#server/platform/http/requests/pictures/frames.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'
import { rulesOf, wantedOf } from './rules.ts'

type Session = Pick<SessionRecord, 'sessionId' | 'accountId' | 'created' | 'settings' | 'observations'>

/** The findings in one picture, before it is compared with the others of its step. */
export interface FrameFinding {
  readonly observation: Observation
  readonly sight: ReturnType<typeof sightOf>
  /** How many faces were seen at a first look, and as a fraction how clear the person's own is: everybody is counted where it is highest. */
  readonly fullness: number
  /** Faces of any size; absent unless they were counted in this picture. */
  readonly inView?: number
}

/** True as long as a picture gives way to everything else of its account. */
export type IsEarly = () => boolean

/**
 * Looks at a session's pictures with the server's own analysis.
 * [Note: What was handed in is judged] also when the page is gone by then: its retry, or the integrator, finds the result.
 */
export interface AnalyseFrames {
  /** Analyses one picture; `index` is its place in the request. @throws {Problem} 400 if it cannot be decoded */
  look(
    picture: Picture,
    session: Session,
    receivedAt: number,
    index: number,
    isEarly?: IsEarly,
  ): Promise<FrameFinding>
  /** How many faces of any size are in view. */
  count(picture: Picture, session: Session, isEarly?: IsEarly): Promise<number>
  /** Analyses pictures, one for each worker at a time, and compares them with each other and with earlier findings of their step. */
  judge(
    pictures: readonly Picture[],
    session: Session,
    receivedAt: number,
    handedIn?: readonly FrameFinding[],
  ): Promise<Observation[]>
}

/** [Note: Age and gender are read at rest] They cost most and are least accurate while the head moves. */
function atRestOnly({ step }: Picture, { demographic, ...wanted }: Wanted): Wanted {
  return step === 0 && demographic ? { ...wanted, demographic } : wanted
}

function requestOf({ accountId }: Session, isEarly?: IsEarly) {
  const { signal } = new AbortController()
  return { accountId, signal, ...(isEarly && { isEarly }) }
}

/** Makes what analyses one picture. */
function createLook(
  analysis: AnalysisService,
  memory: Pick<PictureMemory, 'reuseOf'>,
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
    const reused = remembers ? await memory.reuseOf(session, picture.bytes, found) : 'none'
    const { step, time } = picture
    const digest = remembers ? digestOf(picture.bytes, found) : ''
    const observation = observe(found, { step, time, receivedAt, reused, digest })
    return { observation, sight: sightOf(found), fullness: fullnessOf(found) }
  }
}

export function createAnalyseFrames(
  analysis: AnalysisService,
  memory: Pick<PictureMemory, 'reuseOf'>,
  allowedActions: readonly Action[],
): AnalyseFrames {
  /** [Note: No picture is analysed twice] A request whose commit was lost comes again with the same pictures. */
  const looked = new WeakMap<Picture, FrameFinding>()
  const look = createLook(analysis, memory, allowedActions)

  async function lookOnce(picture: Picture, session: Session, receivedAt: number, index: number) {
    const finding = looked.get(picture) ?? (await look(picture, session, receivedAt, index))
    looked.set(picture, finding)
    return finding
  }

  async function count(picture: Picture, session: Session, isEarly?: IsEarly): Promise<number> {
    const { faces, others } = await analysis.analyse(
      picture.bytes,
      { group: true },
      requestOf(session, isEarly),
    )
    return faces.length + others.length
  }

  return {
    look,
    count,
    async judge(pictures, session, receivedAt, handedIn = []) {
      const own = await mapConcurrent(pictures, analysis.parallel, (picture, index) =>
        lookOnce(picture, session, receivedAt, index),
      )
      const seen = [...handedIn, ...own]
      if (seen.length === 0) return []
      const { fullest, inView } = isCounted(session)
        ? {}
        : await countIn(pictures, seen, (picture) => count(picture, session))
      const pairs = pairsByStep(seen)
      return seen.map(({ observation }, i) => ({
        ...observation,
        ...(pairs[i] !== undefined && { turned: pairs[i] }),
        ...(i === fullest && inView !== undefined && { inView }),
      }))
    },
  }
}

/**
 * [Note: Everybody in view is counted once] Faces of any size in the fullest picture, of which the visit has none yet. A picture that was handed in
 * before comes with its count.
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

/** True if the faces in view were counted in an earlier request of the visit. */
export function isCounted({ observations }: Pick<Session, 'observations'>): boolean {
  return observations.some(({ inView = 0 }) => inView > 0)
}

/** [Note: Compared within a step] A kiosk's capture brings every step at once, and each turn has a straight look of its own. */
function pairsByStep(seen: readonly FrameFinding[]): (TurnedPair | undefined)[] {
  const pairs = seen.map((): TurnedPair | undefined => undefined)
  for (const step of new Set(seen.map(({ observation }) => observation.step))) {
    const places = seen.flatMap(({ observation }, at) => (observation.step === step ? [at] : []))
    const found = turnedPairs(places.map((at) => seen[at]!.sight))
    for (const [i, at] of places.entries()) pairs[at] = found[i]
  }
  return pairs
}

function fullnessOf({ faces, others }: Analysis): number {
  return faces.length + others.length + (faces[0]?.clarity.share ?? 0) / 2
}

/** The picture with the most faces at a first look; of those, the one in which the person's own is the clearest. */
export function fullestOf(seen: readonly Pick<FrameFinding, 'fullness'>[]): number {
  const ranks = seen.map(({ fullness }) => fullness)
  return ranks.indexOf(Math.max(...ranks))
}
