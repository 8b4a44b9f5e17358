import { existsSync } from 'node:fs'
import { readSets } from '#lab/evaluate/data-set.ts'
import { keptEmbeddings, type LabelledFace } from '#lab/evaluate/recognition/kept-embeddings.ts'
import { packSamples, type Samples } from '#lab/evaluate/recognition/samples.ts'
import { seeFaces } from '#lab/evaluate/recognition/seen-faces.ts'
import { type Bench, openBench } from '#lab/evaluate/running/bench.ts'
import { inventedPeople } from './invented-people.ts'

/** The people in a labelled set as the product's pipeline sees them. Without such a folder, synthetic people. */
export async function peopleOf(folder: string, seed: number): Promise<{ samples: Samples; isReal: boolean }> {
  const isReal = existsSync(folder)
  const faces = isReal ? await realPeople(folder) : inventedPeople(seed)
  const embeddings = faces.map(({ embedding }) => embedding)
  return {
    samples: packSamples(
      embeddings,
      faces.map(({ person }) => person),
    ),
    isReal,
  }
}

async function realPeople(folder: string): Promise<LabelledFace[]> {
  let bench: Bench | undefined
  try {
    return await keptEmbeddings(readSets(folder)[0]!, {
      pack: 'standard',
      see: async (part) => {
        bench ??= await openBench('standard')
        return seeFaces(part, bench)
      },
    })
  } finally {
    await bench?.close()
  }
}
