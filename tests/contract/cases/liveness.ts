import { fakeJpeg } from '../../support/drawn/fake-picture.ts'
import type { Cases } from '../contract-case.ts'
import { imageCases, imageOf, pictureLimits } from './image.ts'

const brokenAnalysis = {
  parallel: 1,
  analyse: () => Promise.reject(new Error('the analysis is broken')),
  close: async () => {},
}

export const livenessCases: Cases = {
  detectLiveness: {
    ...imageCases,
    500: async ({ hostWith }) => {
      const on = await hostWith('broken analysis', { ports: { analysis: brokenAnalysis as never } })
      const image = imageOf(fakeJpeg({ person: 'anna' }))
      return { on, authorization: `ApiKey ${on.apiKey}`, body: { image } }
    },
  },
}

export const livenessLimits = { detectLiveness: pictureLimits }
