import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientCatalogue } from '#shared/contract/client-catalogue.ts'
import { shownCalls } from '#web/playground/shown-calls.ts'
import {
  curlOf,
  curlOfComparison,
  type PictureRequest,
  typescriptOf,
  typescriptOfComparison,
} from '#web/playground/shown-request.ts'
import { isLong } from '../../../e2e/support/length.ts'
import { compileAsUser } from '../../support/compile-as-user.ts'
import { fakeJpeg } from '../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../support/host.ts'

const run = promisify(execFile)
const fileName = "Anna's (2).jpg"
const requests: PictureRequest[] = Object.values(shownCalls).map((call) => ({ ...call, fileName }))
const comparison = {
  embedPath: clientCatalogue['face-verification'].getFaceEmbeddings.path,
  comparePath: clientCatalogue['face-verification'].compareFaceEmbeddings.path,
  fileNames: [fileName, 'b.png'],
} as const

let host: Host
let folder: string
beforeAll(async () => {
  host = await startHost()
  folder = await mkdtemp(join(tmpdir(), 'selfsame-shown-'))
  for (const name of [fileName, 'b.png']) await writeFile(join(folder, name), fakeJpeg({ person: 'anna' }))
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true })
})

describe('the request that the playground shows', () => {
  test.each(requests)('is answered when run with curl: $call', async (request) => {
    const env = { ...process.env, SELFSAME_API_KEY: host.apiKey }
    const { stdout } = await run('sh', ['-c', curlOf(host.origin, request)], { cwd: folder, env })
    const answer = JSON.parse(stdout)
    expect(answer).not.toHaveProperty('code')
    expect(stdout).toMatch(/boundingBox|landmarks2D/)
  })

  if (isLong)
    test('compiles as TypeScript for a user of the client', async () => {
      const programs = requests.map((request, i) => [`${i}.ts`, typescriptOf(host.origin, request)] as const)
      const all = { ...Object.fromEntries(programs), 'c.ts': typescriptOfComparison(host.origin, comparison) }
      expect(await compileAsUser(all, 'bundler')).toBe('')
    })

  test('names the picture and the sent values, and no key', () => {
    const shown = { ...shownCalls.quality, fileName: 'a.jpg' }
    expect(curlOf('https://check.example', shown)).toBe(
      `curl -sS 'https://check.example/v1/face-verification/get-quality' \\
  -H "Authorization: ApiKey $SELFSAME_API_KEY" -H 'Content-Type: application/json' \\
  -d @- <<END
{"image":{"bytes":"$(base64 < 'a.jpg' | tr -d '\\n')"},"maxFaceCount":10}
END`,
    )
    expect(typescriptOf('https://check.example', shown)).toContain(
      'await selfsame.faceVerification.getQuality({ image, maxFaceCount: 10 })',
    )
  })

  test('of a comparison embeds both pictures and compares the embeddings', async () => {
    const script = curlOfComparison(host.origin, comparison)
    expect(script).toContain(`{ embed 'Anna'\\''s (2).jpg'; embed 'b.png'; } |`)
    await expect(run('sh', ['-n', '-c', script])).resolves.toBeDefined()
  })

  test('does not execute a file name as a command', async () => {
    const evil = { ...requests[0]!, fileName: "x'; touch made; '$(touch made)`touch made`" }
    await run('sh', ['-c', curlOf(host.origin, evil)], { cwd: folder }).catch(() => undefined)
    const { stdout } = await run('ls', [folder])
    expect(stdout).not.toContain('made')
  })
})
