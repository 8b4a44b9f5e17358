import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAge, getGender } from '#shared/contract/analysis/demographic.ts'
import { fakeJpeg, type Scene } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { openRealAnalysis } from '../../../support/real-analysis.ts'
import { answeredBox } from '../../../support/seen.ts'
import {
  hasSharedData,
  needsSharedData,
  readShared,
  readTable,
  spreadOver,
} from '../../../support/shared-data.ts'
import { astronaut, bytesOf } from '../../../support/upload.ts'

let host: Host
let real: Host
beforeAll(async () => {
  host = await startHost()
  real = await startHost({ ports: { analysis: await openRealAnalysis() } })
})
afterAll(() => Promise.all([host.close(), real.close()]))

const body = (scene: Scene, maxFaceCount?: number) => ({
  image: bytesOf(fakeJpeg(scene)),
  ...(maxFaceCount !== undefined && { maxFaceCount }),
})

describe.each([
  ['get-age', getAge],
  ['get-gender', getGender],
] as const)('POST /v1/demographic-estimation/%s', (_name, endpoint) => {
  test.each([
    [undefined, 1, 3],
    [1, 1, 3],
    [3, 3, 1],
    [4, 4, 0],
    [100, 4, 0],
  ])(
    'with maxFaceCount %j returns that number of four faces, and counts the others',
    async (max, faces, others) => {
      const answer = await host.call(endpoint, { body: body({ person: 'anna', others: 3 }, max) })
      expect(answer.faces).toHaveLength(faces)
      expect(answer.unprocessedFaceCount).toBe(others)
    },
  )

  test('returns no faces for a picture without any', async () => {
    expect(await host.call(endpoint, { body: body({ person: null }) })).toEqual({
      faces: [],
      unprocessedFaceCount: 0,
    })
  })
})

describe('the estimates', () => {
  test('of an age are a prediction and its uncertainty', async () => {
    const { faces } = await host.call(getAge, { body: body({ person: 'anna', age: 41.5 }) })
    expect(faces![0]!.age).toEqual({ prediction: 41.5, uncertainty: 0.6 })
    expect(faces![0]!.face.boundingBox).toEqual(answeredBox)
  })

  test('of a gender include their confidence', async () => {
    const { faces } = await host.call(getGender, { body: body({ person: 'anna' }) })
    expect(faces![0]).toMatchObject({ gender: 'Female', genderConfidence: 0.8 })
  })

  test('of the astronaut are a woman between 30 and 50', async () => {
    const image = bytesOf(astronaut)
    const { faces, unprocessedFaceCount } = await real.call(getAge, { body: { image } })
    expect(unprocessedFaceCount).toBe(0)
    const { prediction, uncertainty } = faces![0]!.age
    expect(prediction).toBeGreaterThan(30)
    expect(prediction).toBeLessThan(50)
    expect(uncertainty).toBeLessThan(1)
    expect((await real.call(getGender, { body: { image } })).faces![0]!.gender).toBe('Female')
  })

  test.skipIf(!hasSharedData)(
    `of adults are right in most genders, and off by less than ten years on average${needsSharedData}`,
    async () => {
      const rows = readTable('demographic', 'utkface', 'labels.csv').filter(({ age }) => Number(age) >= 18)
      const errors: number[] = []
      let right = 0
      for (const { file, age, gender } of spreadOver(rows, 10)) {
        const image = bytesOf(readShared('demographic', 'utkface', file!))
        const ages = await real.call(getAge, { body: { image } })
        const genders = await real.call(getGender, { body: { image } })
        if (ages.faces![0] === undefined) continue
        errors.push(Math.abs(ages.faces![0].age.prediction! - Number(age)))
        if (genders.faces![0]!.gender.toLowerCase() === gender) right++
      }
      expect(errors.length).toBeGreaterThanOrEqual(9)
      expect(right / errors.length).toBeGreaterThan(0.7)
      expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(10)
    },
    60_000,
  )
})
