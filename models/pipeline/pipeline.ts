import { regionOfMesh } from '#models/networks/landmarks.ts'
import type { ModelName, OpenSession, Session } from '#models/networks/session.ts'
import { boxOfMesh } from '#models/networks/spoof.ts'
import type { Frame } from '#models/picture/frame.ts'
import type { Region } from '#models/picture/geometry.ts'
import { createLookAt, type LookAt } from '#models/picture/look-at.ts'
import { Picture } from '#models/picture/picture.ts'
import type { Analysis, AnalysisStages, DetectedFace, FaceAnalysis } from '#models/rules/analysis.ts'
import { sceneSignature } from '#models/rules/liveness/scene-signature.ts'
import { type Pack, packs, within } from '#models/rules/packs.ts'
import { leastFaceInCopy } from './copies.ts'
import { enlarged } from './enlarged.ts'
import { describeFace } from './face-description.ts'
import { embeddingNetworks } from './face-embedding.ts'
import {
  byDominance,
  createWiderLook,
  type FaceMesh,
  findFaces,
  meshesOfDominant,
  othersThan,
  type Stages,
  track,
} from './finder.ts'
import { createGlimpse, divideByNetworks } from './glimpse.ts'
import { find, look } from './look.ts'
import { report } from './report.ts'
import { Stopwatch } from './stopwatch.ts'

/** Runs the networks over pictures. Only one analysis at a time except during pauses, since the runtimes are not re-entrant. */
export interface Pipeline {
  /**
   * Opens the networks that `wanted` needs, in the order of need, and runs each once to warm it up. Runs nothing if
   * `isAwaited` returns true because a real picture, which does the same, is waiting.
   */
  prepare(wanted: AnalysisStages, isAwaited?: () => boolean): Promise<void>
  /** The networks that `wanted` needs, in the order of need. */
  networks(wanted: AnalysisStages): readonly ModelName[]
  /**
   * Analyses a single picture. Awaits `pause` between its faces and parts, during which another picture may be analysed.
   * `decodeWhole` returns the full picture if the frame is a smaller copy and a face in it is too small to be described.
   */
  analyse(
    frame: Frame,
    wanted: AnalysisStages,
    pause?: () => Promise<void>,
    decodeWhole?: () => Promise<Frame>,
  ): Promise<Analysis>
  /**
   * A stream: each picture starts from the face of the previous one. With `opened` networks a picture waits only for the
   * detector and for requested eye features; the analysis lists what else is missing. `prepare` opens the networks.
   */
  stream(networks?: 'all' | 'opened'): Stream
}

export interface Stream {
  next(frame: Frame, wanted: AnalysisStages): Promise<Analysis>
}

/** How long a followed face is trusted before the detector searches for others again. */
const detectAgainAfterMilliseconds = 350

/**
 * The complete pipeline over sessions from `open`; `now` returns milliseconds for the durations. Omits everything that
 * the pack has no network for.
 */
export function createPipeline(open: OpenSession, now: () => number, pack: Pack = packs.standard): Pipeline {
  const sessions = new Map<ModelName, Promise<Session>>()
  const opened = new Set<ModelName>()
  const network = (name: ModelName) => {
    const known = sessions.get(name)
    if (known !== undefined) return known
    const session = open(name)
    sessions.set(name, session)
    session.then(
      () => opened.add(name),
      () => undefined, // the caller that awaits the session receives the error
    )
    return session
  }
  const stages = { network, now, pack, lookAt: createLookAt() }
  return {
    prepare: (wanted, isAwaited) => prepare(stages, within(pack, wanted), isAwaited),
    networks: (wanted) => networksOf(within(pack, wanted), pack),
    analyse: (frame, wanted, pause, decodeWhole) =>
      analyse({ ...stages, pause }, frame, within(pack, wanted), decodeWhole),
    stream(networks = 'all') {
      const stream = follow(stages, (name) => networks === 'all' || opened.has(name))
      return { next: (frame, wanted) => stream.next(frame, within(pack, wanted)) }
    },
  }
}

async function prepare(stages: Stages, wanted: AnalysisStages, isAwaited?: () => boolean): Promise<void> {
  await Promise.all(networksOf(wanted, stages.pack).map((name) => stages.network(name)))
  if (!isAwaited?.()) await warmUp(stages, wanted)
}

async function warmUp(stages: Stages, wanted: AnalysisStages): Promise<void> {
  const blank = new Picture({ width: 192, height: 192, rgba: new Uint8Array(192 * 192 * 4).fill(128) })
  const watch = new Stopwatch(stages.now)
  await find(stages, blank, wanted, watch)
  await track(stages, blank, regionOfMesh(wholeFace.mesh), watch)
  await describeFace(stages, blank, wholeFace, wanted, watch)
}

/** A dummy face for the blank picture that warms up the networks. */
const wholeFace: FaceMesh = {
  mesh: {
    points: Float32Array.from({ length: 468 * 3 }, (_, i) => 60 + ((i * 37) % 71)),
    presence: 1,
  },
  detection: undefined,
}

/** [Note: The order of need] Guidance comes first. Liveness does not guide a person, and the eyes matter only for a single action. */
function networksOf(wanted: AnalysisStages, pack: Pack): ModelName[] {
  return [
    'blazeface-short',
    ...(wanted.group && pack.detectsUpright ? (['fr-detect'] as const) : []),
    ...(wanted.group ? (['blazeface-full'] as const) : []),
    'facemesh',
    ...(wanted.expression ? (['face-expression'] as const) : []),
    ...(wanted.liveness ? (['fr-liveness'] as const) : []),
    ...(wanted.liveness && pack.secondLiveness ? (['minifasnet-v2'] as const) : []),
    ...(wanted.embedding ? embeddingNetworks(pack) : []),
    ...(wanted.demographic ? (['age-gender'] as const) : []),
    ...(wanted.demographic === 'full' ? (['faceres-deep'] as const) : []),
    ...(wanted.eyes ? (['fr-eye'] as const) : []),
  ]
}

interface LookStages extends Stages {
  readonly lookAt: LookAt
}

async function analyse(
  stages: LookStages,
  frame: Frame,
  wanted: AnalysisStages,
  decodeWhole?: () => Promise<Frame>,
): Promise<Analysis> {
  const watch = new Stopwatch(stages.now)
  const isEnough = ({ mesh }: FaceMesh) =>
    !frame.isCopy || decodeWhole === undefined || boxOfMesh(mesh).width >= leastFaceInCopy
  const seen = await stages.lookAt(frame, async (picture) => {
    const { found, detections } = await look(stages, picture, wanted, watch)
    if (!found.every(isEnough)) return undefined
    const faces: FaceAnalysis[] = []
    for (const one of found) {
      await stages.pause?.()
      faces.push(await describeFace(stages, picture, one, wanted, watch))
    }
    const signature = await signatureWanted(frame, wanted, watch)
    return { ...report(picture, faces, othersThan(found, detections), true, watch), ...signature }
  })
  if (seen === undefined) return analyse(stages, await decodeWhole!(), wanted)
  return frame.shrunk === undefined ? seen : enlarged(seen, frame.shrunk, frame.whole)
}

async function signatureWanted(
  frame: Frame,
  wanted: AnalysisStages,
  watch: Stopwatch,
): Promise<Pick<Analysis, 'sceneSignature'>> {
  return wanted.sceneSignature
    ? { sceneSignature: await watch.time('sceneSignature', async () => sceneSignature(frame)) }
    : {}
}

function follow(stages: LookStages, isOpened: (name: ModelName) => boolean): Stream {
  const lookElsewhere = createWiderLook(stages)
  const glimpse = createGlimpse(stages)
  let region: Region | undefined
  let others: readonly DetectedFace[] = []
  let detectedAt = Number.NEGATIVE_INFINITY
  const seeNext = async (picture: Picture, wanted: AnalysisStages, watch: Stopwatch) => {
    const lookAgain = stages.now() - detectedAt > detectAgainAfterMilliseconds
    let found = region && (await track(stages, picture, region, watch))
    const detected = found === undefined || lookAgain
    if (detected) {
      const detections = await findFaces(stages, picture, watch)
      found ??= (await meshesOfDominant(stages, picture, byDominance(detections, picture), 1, watch))[0]
      found ??= await lookElsewhere(picture, watch)
      others = othersThan(found === undefined ? [] : [found], detections)
      detectedAt = stages.now()
    }
    region = found && regionOfMesh(found.mesh)
    const face = found && (await describeFace(stages, picture, found, wanted, watch))
    return report(picture, face === undefined ? [] : [face], others, detected, watch)
  }
  const glance = async (picture: Picture, watch: Stopwatch): Promise<Analysis> => {
    const [detectedFace, ...rest] = await glimpse(picture, watch)
    return { ...report(picture, [], rest, true, watch), ...(detectedFace && { detectedFace }) }
  }
  return {
    async next(frame, wanted) {
      const watch = new Stopwatch(stages.now)
      const { there, missing } = divideByNetworks(wanted, isOpened)
      const seen = await stages.lookAt(frame, (picture) =>
        missing.includes('points') ? glance(picture, watch) : seeNext(picture, there, watch),
      )
      const signature = await signatureWanted(frame, wanted, watch)
      return { ...seen, ...signature, ...(missing.length > 0 && { missing }) }
    },
  }
}
