import { clarityOf } from '#models/measures/frame-quality.ts'
import { alignedLuminance, measureQuality } from '#models/measures/quality.ts'
import { estimateDemographic } from '#models/networks/demographic.ts'
import { alignment } from '#models/networks/embedder.ts'
import { recogniseExpression } from '#models/networks/expression.ts'
import { closedEyes, eyeOpennessOf } from '#models/networks/eyes.ts'
import { secondLiveProbabilities } from '#models/networks/second-spoof.ts'
import { boxOfMesh, liveProbabilities } from '#models/networks/spoof.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { AnalysisStages, Box, FaceAnalysis, HeadFit } from '#models/rules/analysis.ts'
import type { Mesh } from '#models/rules/face/mesh.ts'
import { type CanonicalFace, fitFace, poseOfFit, turnOf } from '#models/rules/face/pose.ts'
import { smileOf } from '#models/rules/face/smile.ts'
import type { Pack } from '#models/rules/packs.ts'
import canonicalFace from '../weights/canonical-face.json' with { type: 'json' }
import { embedFace, type RunStage } from './face-embedding.ts'
import type { FaceMesh, Stages } from './finder.ts'
import type { Stopwatch } from './stopwatch.ts'

const canonical = canonicalFace as unknown as CanonicalFace

/** Everything that `wanted` asks about a face. */
export async function describeFace(
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

async function judgeLiveness(
  run: RunStage,
  pack: Pack,
  picture: Picture,
  box: Box,
  { liveness }: AnalysisStages,
) {
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
