import { packSamples, type Samples } from '#lab/evaluate/recognition/samples.ts'

/** Samples of vectors that no network makes, so their likeness is their cosine: a look is only known in the length of a network's embeddings. */
export function plainSamples(vectors: readonly ArrayLike<number>[], persons: readonly string[]): Samples {
  return { ...packSamples(vectors, persons), likenessOf: (_a, _b, cosine) => cosine }
}
