import { leastFaceInCopy } from './copies.ts'
import { enlarged } from './enlarged.ts'
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
import { estimateDemographic } from '#models/networks/demographic.ts'
import { alignment } from '#models/networks/embedder.ts'
import { recogniseExpression } from '#models/networks/expression.ts'
import { closedEyes, eyeOpennessOf } from '#models/networks/eyes.ts'
import { regionOfMesh } from '#models/networks/landmarks.ts'
import { secondLiveProbabilities } from '#models/networks/second-spoof.ts'
import type { ModelName, OpenSession, Session } from '#models/networks/session.ts'
import { boxOfMesh, liveProbabilities } from '#models/networks/spoof.ts'
import type { Frame } from '#models/picture/frame.ts'
import { clarityOf } from '#models/measures/frame-quality.ts'
import type { Region } from '#models/picture/geometry.ts'
import { createLookAt, type LookAt } from '#models/picture/look-at.ts'
import { Picture } from '#models/picture/picture.ts'
import { alignedLuminance, measureQuality } from '#models/measures/quality.ts'
import { embeddingNetworks, type RunStage, embedFace } from './face-embedding.ts'
import { report } from './report.ts'
import type { Analysis, Box, DetectedFace, FaceAnalysis, HeadFit, AnalysisStages } from '#models/rules/analysis.ts'
import type { Mesh } from '#models/rules/face/mesh.ts'
import { type CanonicalFace, fitFace, poseOfFit, turnOf } from '#models/rules/face/pose.ts'
import { smileOf } from '#models/rules/face/smile.ts'
import { sceneSignature } from '#models/rules/liveness/scene-signature.ts'
import { type Pack, packs, within } from '#models/rules/packs.ts'
import { Stopwatch } from './stopwatch.ts'
import canonicalFace from '../weights/canonical-face.json' with { type: 'json' }

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
const canonical = canonicalFace as unknown as CanonicalFace

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
  await describe(stages, blank, wholeFace, wanted, watch)
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
      faces.push(await describe(stages, picture, one, wanted, watch))
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
    const face = found && (await describe(stages, picture, found, wanted, watch))
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

async function describe(
  stages: Stages,
  picture: Picture,
  { mesh, detection }: FaceMesh,
  wanted: AnalysisStages,
  watch: Stopwatch,
): Promise<FaceAnalysis> {
  picture.takeBack()
  const aligned = alignment(mesh)
  const fit = fitFace(mesh, canonical)
  const grey = await watch.time('quality', async () => alignedLuminance(picture, aligned))
  const box = boxOfMesh(mesh)
  const run = runner(stages, watch)
  const live = await judgeLiveness(run, stages.pack, picture, box, wanted)
  const expressions = await run(wanted.expression, 'expression', 'face-expression', (session) =>
    recogniseExpression(session, picture, mesh, wanted.expression!),
  )
  const eyesClosed = await run(wanted.eyes, 'eyes', 'fr-eye', (session) => closedEyes(session, picture, mesh))
  const measures = { quality: measureQuality(picture, aligned, grey), pose: poseOfFit(fit), aligned }
  const recognised = await embedFace(run, stages.pack, picture, mesh, wanted, measures)
  const second = wanted.demographic === 'full' ? await stages.network('faceres-deep') : undefined
  const demographic = await run(wanted.demographic, 'demographic', 'age-gender', (first) =>
    estimateDemographic({ first, ...(second && { second }) }, picture, mesh),
  )
  return {
    ...shapeOf(mesh),
    box,
    confidence: detection?.confidence ?? mesh.presence,
    pose: measures.pose,
    fit,
    quality: measures.quality,
    clarity: clarityOf(measures),
    aligned: new Uint8Array(grey),
    ...(live && { live }),
    ...(expressions && { expressions }),
    ...(eyesClosed && { eyesClosed }),
    ...recognised,
    ...demographic,
    ...(wanted.surface && (await surfaceWanted(picture, mesh, fit, watch))),
    ...(wanted.appearance && (await appearanceWanted(picture, mesh, watch))),
  }
}

/** [Note: A page brings no cues] Only a server compares surfaces, so the code for it is loaded on demand. */
async function surfaceWanted(picture: Picture, { points }: Mesh, fit: HeadFit, watch: Stopwatch) {
  const { surfaceOf } = await import('#models/measures/surface.ts')
  return { surface: await watch.time('surface', async () => surfaceOf(picture, points, fit)) }
}

/** Loaded on demand, since pages do not request quality components. */
async function appearanceWanted(picture: Picture, mesh: Mesh, watch: Stopwatch) {
  const { appearanceOf } = await import('#models/measures/appearance.ts')
  return { appearance: await watch.time('appearance', async () => appearanceOf(picture, mesh)) }
}

/** Runs a stage with its network if it is wanted, and measures its time. */
function runner(stages: Stages, watch: Stopwatch): RunStage {
  return async (want, stage, name, work) =>
    want ? watch.time(stage, async () => work(await stages.network(name))) : undefined
}

async function judgeLiveness(run: RunStage, pack: Pack, picture: Picture, box: Box, { liveness }: AnalysisStages) {
  const live = await run(liveness, 'liveness', 'fr-liveness', (session) =>
    liveProbabilities(session, picture, box, liveness!),
  )
  const second = await run(liveness && pack.secondLiveness, 'secondLiveness', 'minifasnet-v2', (session) =>
    secondLiveProbabilities(session, picture, box, liveness!),
  )
  return live && { ...live, ...(second && { second }) }
}

/** Features derived from the mesh alone. */
function shapeOf(mesh: Mesh) {
  return {
    landmarks: mesh.points,
    presence: mesh.presence,
    turn: turnOf(mesh),
    smile: smileOf(mesh),
    eyeOpenness: eyeOpennessOf(mesh),
  }
}
