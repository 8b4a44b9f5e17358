import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import { embeddingLengths } from '#models/rules/embedding.ts'
import {
  createSearchThreads,
  createThreadedGallery,
  createThreadsOfModels,
  startSearchThread,
} from '#server/features/recognition/recognition.ts'
import { listStaticFiles } from '#server/platform/http/responses/static-files.ts'
import { createClient } from '#shared/client/client.ts'
import { createCollection, indexFace, searchFace } from '#shared/contract/recognition/recognition.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { readPage } from '../support/document-pages.ts'
import { FakeNetworks } from '../support/drawn/fake-networks.ts'
import { fakeJpeg } from '../support/drawn/fake-picture.ts'
import { grey } from '../support/drawn/frames.ts'
import { type Host, startHost } from '../support/host.ts'
import { captureOf, handIn, pairDevice } from '../support/kiosk-device.ts'
import { searchWorker } from '../support/programs/server-program.ts'
import { newVerification, openSession, submit } from '../support/visit.ts'
import { filesRunBy } from './files-run.ts'

const threads = createThreadsOfModels((model) =>
  createSearchThreads({
    count: 1,
    start: () => startSearchThread(searchWorker, embeddingLengths[model]),
    onFailure: () => undefined,
  }),
)
const pages = mkdtempSync(join(tmpdir(), 'selfsame-walks-'))
writeFileSync(join(pages, 'index.html'), '<p>')
let host: Host
beforeAll(async () => {
  host = await startHost({
    site: { files: await listStaticFiles(pages) },
    ports: { createGallery: (model) => createThreadedGallery(threads.of(model), model) },
  })
})
afterAll(async () => {
  await host.close()
  await threads.close()
  rmSync(pages, { recursive: true })
})

/** Files that run in a browser or a separate thread. Other tests cover them, in `e2e` and in each file's own folder. */
const elsewhere = /^(web|workers)\/|\/threads\/(search-thread|coded-rows|kernel\/open-kernel)\.ts$/

/** The files in a walk that run in this process, in the order used in docs/architecture.md. */
function filesOf(title: string): string[] {
  const [, walk] = readPage('docs/architecture.md').text.split(`### ${title}\n`)
  const files = [...walk!.split('\n### ')[0]!.matchAll(/^\d+\. `([^`]+)`: /gm)].map(([, file]) => file!)
  return files.filter((file) => !elsewhere.test(file))
}

const walks: readonly (readonly [title: string, count: number, walk: () => Promise<unknown>])[] = [
  ['A signed link', 9, openLink],
  ['A submission', 7, submitSession],
  ["A kiosk's capture", 5, handInCapture],
  ['A search', 7, searchForFace],
  ['One frame', 4, analyseFrame],
]

describe('the walks of docs/architecture.md', () => {
  test.each(walks)('%s runs the %i of its files that are run here', async (title, count, walk) => {
    const files = filesOf(title)
    expect(files).toHaveLength(count)
    const run = await filesRunBy(walk)
    expect(files.filter((file) => !run.has(file))).toEqual([])
  })

  test('a file that does not run is noticed', async () => {
    const run = await filesRunBy(openLink)
    expect(run).not.toContain('server/features/kiosks/capture-submission.ts')
    expect(run).not.toContain('server/features/sessions/judging/submit.ts')
  })
})

async function openLink(): Promise<void> {
  const { origin, apiKey } = host
  const verificationId = await newVerification(host)
  const link = await createClient({ origin, apiKey }).createLink({ verificationId })
  const { pathname, search } = new URL(link)
  expect((await host.fetch(pathname + search)).status).toBe(200)
  await host.call(initRedirectSession, { body: { verificationId, queryString: search } })
}

async function submitSession(): Promise<void> {
  const verificationId = await newVerification(host, {
    verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } },
    webhookConfig: { eventCallbackUrl: `${host.origin}/v1/healthz` },
  })
  await submit(host, await openSession(host, verificationId), { person: 'anna' })
  await host.services.deliveries.settle()
}

async function handInCapture(): Promise<void> {
  const verificationId = await newVerification(host, {
    verifierConfigs: { liveness: { type: 'Verification' } },
  })
  const device = await pairDevice(host, verificationId)
  await handIn(host, device, captureOf(device, host.now()))
}

async function searchForFace(): Promise<void> {
  const collectionId = 'walked'
  const image = { bytes: Buffer.from(fakeJpeg({ person: 'anna' })).toString('base64') }
  await host.call(createCollection, { body: { collectionId } } as never)
  await host.call(searchFace, { body: { collectionId, image } })
  const other = await startHost({ store: host.store })
  await other.call(indexFace, { body: { collectionId, image }, apiKey: host.apiKey })
  await other.close()
  expect((await host.call(searchFace, { body: { collectionId, image } })).faceId).not.toBeNull()
}

async function analyseFrame(): Promise<void> {
  const pipeline = createPipeline(new FakeNetworks().open, () => 1000)
  await pipeline.analyse(
    grey(256, 256, (x, y) => (x * 3 + y * 5) % 256),
    { liveness: 'full' },
  )
}
