import { existsSync } from 'node:fs'
import { type Bench, openBench } from '#models/evaluate/bench.ts'
import { readSets } from '#models/evaluate/data-set.ts'
import { keptEmbeddings, type LabelledFace } from '#models/evaluate/recognition/kept-embeddings.ts'
import { packSamples, type Samples } from '#models/evaluate/recognition/samples.ts'
import { seeFaces } from '#models/evaluate/recognition/seen-faces.ts'
import { inventedPeople } from './invented-people.ts'

/** The people of a labelled set as the product's pipeline sees them; invented ones where there is no such folder. */
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
