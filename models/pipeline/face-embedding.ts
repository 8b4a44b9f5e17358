import { type clarityOf, frameQuality, unifiedQuality } from '#models/measures/frame-quality.ts'
import { type Embedder, embed, embedders } from '#models/networks/embedder.ts'
import type { ModelName, Session } from '#models/networks/session.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { AnalysisStages, FaceAnalysis } from '#models/rules/analysis.ts'
import type { Mesh } from '#models/rules/face/mesh.ts'
import type { Pack } from '#models/rules/packs.ts'

/** Runs a stage with its network if it is wanted, and measures its time. */
export type RunStage = <T>(
  want: unknown,
  stage: string,
  name: ModelName,
  work: (session: Session) => Promise<T>,
) => Promise<T | undefined>

/** The networks of all embeddings that a pack makes. */
export function embeddingNetworks({ embeddingModel, secondModel, formerModel }: Pack): ModelName[] {
  const models = [embeddingModel, secondModel, formerModel].filter((model) => model !== undefined)
  return models.map((model) => embedders[model].network)
}

/** The embeddings of a face, and how well it can be recognised. */
export async function embedFace(
  run: RunStage,
  pack: Pack,
  picture: Picture,
  mesh: Mesh,
  { embedding }: AnalysisStages,
  measures: Parameters<typeof clarityOf>[0],
): Promise<Partial<FaceAnalysis>> {
  const embedWith = (embedder: Embedder, stage: string) =>
    run(embedding, stage, embedder.network, (session) => embed(session, picture, mesh, embedder))
  const first = await embedWith(embedders[pack.embeddingModel], 'embedding')
  if (first === undefined) return {}
  const second = pack.secondModel && (await embedWith(embedders[pack.secondModel], 'secondEmbedding'))
  const former = pack.formerModel && (await embedWith(embedders[pack.formerModel], 'formerEmbedding'))
  const judged = { ...measures, strength: first.strength, model: pack.embeddingModel }
  return {
    embedding: first.embedding,
    ...(second && { secondEmbedding: second.embedding }),
    ...(former && { formerEmbedding: former.embedding }),
    embeddingStrength: first.strength,
    frameQuality: frameQuality(judged),
    unifiedQuality: unifiedQuality(judged),
  }
}
