import '../../long-alone.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { indexFace, searchFace, searchOrIndexFace } from '#shared/contract/recognition/recognition.ts'
import { deploy, people } from '../../support/programs/deployments.ts'
import { startFromSources } from '../../support/programs/server-process.ts'
import { astronaut, bytesOf } from '../../support/upload.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** More faces than can be searched without a thread. */
const many = 513

test('run from its sources, the server uses threads for analysis and search', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-sources-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const env = { DATA_DIR: folder, DEMO: 'false' }
  const { fill, close, apiKey } = await deploy(env)
  const collectionId = 'people'
  await fill(collectionId, people(many))
  await close()
  const server = await startFromSources(env)
  closers.push(() => server.child.kill('SIGKILL'))
  await server.ready()
  const image = bytesOf(astronaut)
  const { faceId } = await server.call(indexFace, { apiKey, body: { collectionId, image } })
  const asked = { apiKey, body: { collectionId, image } }
  expect(await server.call(searchFace, asked)).toMatchObject({ hasFace: true, faceId })
  expect(await server.call(searchOrIndexFace, asked)).toMatchObject({ faceId })
  expect(await server.stop('SIGTERM')).toBe(0)
})
