import type { Ports } from '#server/services.ts'
import { createFakeAnalysis, fakeJudge } from './fake-judge.ts'
import { randomEmbedding } from './random-face.ts'

/** Ports under which each person has an embedding of random numbers, as a network's would be: people are numbers. */
export const randomPeople: Pick<Ports, 'analysis' | 'judge'> = {
  analysis: {
    ...createFakeAnalysis(),
    async analyse(...request) {
      const seen = await createFakeAnalysis().analyse(...request)
      const { person } = (seen as unknown as { scene: { person: string } }).scene
      const embedding = randomEmbedding(Number(person))
      return { ...seen, ...(seen.face && { face: { ...seen.face, embedding } }) }
    },
  },
  judge: {
    ...fakeJudge,
    decide(evidence) {
      const verdict = fakeJudge.decide(evidence)
      const [seen] = evidence.observations as unknown as { scene: { person: string } }[]
      return { ...verdict, portrait: Array.from(randomEmbedding(Number(seen!.scene.person))) }
    },
  },
}
