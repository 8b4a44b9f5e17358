import '../../long-alone.ts'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countPinned } from '#server/app/pinned-collections.ts'
import { readSettings } from '#server/app/settings.ts'
import { runPacks } from '#server/features/packs/run-packs.ts'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import {
  compareFaceEmbeddings,
  extendedEmbeddingLength,
  getFaceEmbeddings,
} from '#shared/contract/analysis/face-verification.ts'
import { detectLiveness } from '#shared/contract/analysis/liveness.ts'
import { createCollection, indexFace, searchFace } from '#shared/contract/recognition/recognition.ts'
import { isLong } from '../../../e2e/support/length.ts'
import { launch, startProcess } from '../../support/programs/server-process.ts'
import { hasSharedWeights, needsSharedWeights, sharedWeights } from '../../support/shared-weights.ts'
import { astronaut, bytesOf } from '../../support/upload.ts'

let folder: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-main-packs-'))
  env = { DATA_DIR: join(folder, 'data'), MODEL_PACK: 'extended' }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The last output and the exit code of a server that does not start. */
async function failedStart(): Promise<{ code: number | null; words: string }> {
  const child = launch(env)
  let words = ''
  child.stderr!.on('data', (chunk) => {
    words += chunk
  })
  child.stdout!.resume()
  const code = await new Promise<number | null>((ended) => child.once('close', ended))
  return { code, words }
}

async function packs(words: string) {
  const said: string[] = []
  const io = { write: (text: string) => said.push(text), error: (text: string) => said.push(text) }
  const settings = readSettings(env)
  const code = await runPacks(words.split(' '), io, () => ({
    packsDir: settings.packsDir,
    outbound: createOutbound({ allowLoopback: false }),
    countPinned: (pack) => countPinned(settings, pack),
    now: Date.now,
    ...io,
  }))
  return { code, said: said.join('\n') }
}

describe('a server with MODEL_PACK=extended', () => {
  test('does not start without the pack, and names the command that installs it', async () => {
    const { code, words } = await failedStart()
    expect(code).toBe(1)
    expect(words).toMatch(/did not start.*extended pack is not installed.*npm run packs -- install extended/)
    expect(words.trim().split('\n')).toHaveLength(1)
  })

  test.skipIf(!hasSharedWeights)(
    `recognises with both networks; the pack stays as long as it is used, and is never run altered${needsSharedWeights}`,
    async () => {
      expect((await packs(`install extended --accept-licence --from ${sharedWeights}`)).code).toBe(0)
      const server = await startProcess({ ...env, DEMO: 'false' })
      try {
        await server.ready()
        const image = bytesOf(astronaut)
        const mirrored = bytesOf(await sharp(astronaut).flop().jpeg({ quality: 80 }).toBuffer())
        const { faces } = await server.call(getFaceEmbeddings, { body: { image } })
        const embedding1 = faces![0]!.embedding!
        expect(embedding1).toHaveLength(extendedEmbeddingLength)
        const other = await server.call(getFaceEmbeddings, { body: { image: mirrored } })
        const embedding2 = other.faces![0]!.embedding!
        const { similarity } = await server.call(compareFaceEmbeddings, { body: { embedding1, embedding2 } })
        expect(similarity).toBeGreaterThanOrEqual(95)
        const collectionId = 'people'
        await server.call(createCollection, { body: { collectionId } })
        const { faceId } = await server.call(indexFace, { body: { collectionId, image } })
        const found = await server.call(searchFace, { body: { collectionId, image: mirrored } })
        expect(found.faceId).toBe(faceId)
        expect((await server.call(detectLiveness, { body: { image } })).isLive).toBeTypeOf('boolean')
        expect(await packs('remove extended')).toMatchObject({
          code: 1,
          said: expect.stringContaining(`process ${server.child.pid}`),
        })
      } finally {
        await server.stop('SIGTERM')
      }
      expect(await packs('remove extended')).toMatchObject({
        code: 1,
        said: expect.stringContaining('pack: 1'),
      })
      const { packsDir } = readSettings(env)
      const file = join(packsDir, 'extended', 'MiniFASNetV2.onnx')
      const bytes = await readFile(file)
      bytes[bytes.length >> 1]! ^= 1
      await writeFile(file, bytes)
      const { code, words } = await failedStart()
      expect(code).toBe(1)
      expect(words).toMatch(/extended pack was altered.*npm run packs -- install extended/)
      expect((await packs('remove extended --although-pinned')).code).toBe(0)
      if (!isLong) return
      const standard = await startProcess({ ...env, MODEL_PACK: 'standard', DEMO: 'false' })
      try {
        await standard.ready()
        const body = { collectionId: 'people', image: bytesOf(astronaut) }
        const found = await standard.call(searchFace, { body, apiKey: server.apiKey })
        expect(found.faceId).not.toBeNull()
      } finally {
        await standard.stop('SIGTERM')
      }
    },
    120_000,
  )
})
