import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnalysisPool } from '#server/features/analysis/pool.ts'
import { startWorkerThread } from '#server/features/analysis/worker-thread.ts'
import { indexFace, searchFace, searchOrIndexFace } from '#shared/contract/recognition/recognition.ts'
import { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { newCollection } from '../../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { analysisWorker } from '../../../../support/programs/server-program.ts'
import {
  hasSharedData,
  needsSharedData,
  readShared,
  readTable,
  spreadOver,
} from '../../../../support/shared-data.ts'

const root = resolve(import.meta.dirname, '../../../../..')
const astronaut = readFileSync(resolve(root, 'tests/support/pictures/astronaut.png'))
const imageOf = (bytes: Buffer) => ({ bytes: bytes.toString('base64') })

/** The real networks in a real worker behind the real endpoints. */
let host: Host
let pool: ReturnType<typeof createAnalysisPool>
beforeAll(async () => {
  pool = createAnalysisPool({
    threads: 1,
    startWorker: () => startWorkerThread(analysisWorker),
    pieceTimeoutInMilliseconds: 30_000,
    patienceInMilliseconds: 10_000,
    onFailure: () => {},
  })
  host = await startHost({ ports: { analysis: pool } })
})
afterAll(async () => {
  await host.close()
  await pool.close()
})

const search = (collectionId: string, picture: Buffer, faceMatchThreshold = 80) =>
  host.call(searchFace, { body: { collectionId, image: imageOf(picture), faceMatchThreshold } })
const index = (collectionId: string, picture: Buffer) =>
  host.call(indexFace, { body: { collectionId, image: imageOf(picture) } })

describe('real pictures', () => {
  test('the astronaut is indexed and found, also smaller, in other colours and compressed', async () => {
    const collectionId = await newCollection(host)
    const added = await index(collectionId, astronaut)
    expect(added).toMatchObject({ hasFace: true, unprocessedFaceCount: 0 })
    const { x, y, width, height } = added.face!.boundingBox
    expect([x, y, width, height].every(Number.isInteger)).toBe(true)
    expect(x + width / 2).toBeGreaterThan(180)
    expect(x + width / 2).toBeLessThan(260)
    expect(y + height / 2).toBeGreaterThan(70)
    expect(y + height / 2).toBeLessThan(170)
    expect((await search(collectionId, astronaut, 100)).faceId).toBe(added.faceId)
    const changed = await sharp(astronaut).resize(300).modulate({ saturation: 0.6 }).jpeg({ quality: 60 })
    expect((await search(collectionId, await changed.toBuffer(), 95)).faceId).toBe(added.faceId)
  })

  test('verify-duplicate reports that the astronaut came before, and is a woman', async () => {
    const ask = () =>
      host.call(verifyDuplicate, {
        query: { collectionName: 'space', externalIdentifier: 'a-1', includeDemographicalInfo: true },
        body: { imageData: astronaut.toString('base64') },
      })
    expect(await ask()).toMatchObject({ isDuplicate: false, demographicalInfo: { gender: 'Female' } })
    expect(await ask()).toMatchObject({ isDuplicate: true, externalIdentifierOfDuplicate: 'a-1' })
  })

  test('a picture without people has no face', async () => {
    const collectionId = await newCollection(host)
    const blank = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#678' } })
      .png()
      .toBuffer()
    expect(await index(collectionId, blank)).toEqual({
      face: null,
      faceId: null,
      hasFace: false,
      unprocessedFaceCount: 0,
    })
  })

  test.skipIf(!hasSharedData)(
    `people are found again, and not mistaken for strangers${needsSharedData}`,
    async () => {
      const pairs = readTable('recognition', 'lfw', 'pairs.csv')
      const read = (file: string) => readShared('recognition', 'lfw', file)
      const same = spreadOver(
        pairs.filter((pair) => pair.same === '1'),
        15,
      )
      const collectionId = await newCollection(host)
      const found = []
      for (const { a } of same) {
        const added = await host.call(searchOrIndexFace, {
          body: { collectionId, image: imageOf(read(a!)) },
        })
        expect(added.resultSource).toBe('Index')
        found.push(added.faceId)
      }
      let again = 0
      for (const [i, { b }] of same.entries()) {
        const { faceId } = await search(collectionId, read(b!))
        expect([found[i], null]).toContain(faceId)
        if (faceId !== null) again++
      }
      expect(again).toBeGreaterThanOrEqual(14)
      expect((await search(collectionId, astronaut)).faceId).toBeNull()
    },
    120_000,
  )

  test.skipIf(!hasSharedData)(
    `next to the dominant face of a group the others are counted${needsSharedData}`,
    async () => {
      const rows = readTable('detection', 'public-domain', 'labels.csv')
      const group = rows.find(({ faces }) => Number(faces) === 29)!
      const collectionId = await newCollection(host)
      const { hasFace, unprocessedFaceCount } = await search(
        collectionId,
        readShared('detection', 'public-domain', group.file!),
      )
      expect(hasFace).toBe(true)
      expect(unprocessedFaceCount).toBeGreaterThan(20)
      expect(unprocessedFaceCount).toBeLessThan(32)
    },
    60_000,
  )
})
