import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, imageOf } from '#shared/client/client.ts'
import { fakeJpeg } from '../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../support/host.ts'
import { runCommand } from '../support/programs/example-program.ts'
import { freePort } from '../support/programs/redis-server.ts'
import { consent } from '../support/visit.ts'

/** Debian's Python, which only has the standard library. Falls back to another one on systems other than Debian. */
const python = ['/usr/bin/python3', 'python3'].find((one) => spawnSync(one, ['--version']).status === 0)

describe.skipIf(python === undefined)('examples/python', () => {
  let host: Host
  beforeAll(async () => {
    host = await startHost()
  })
  afterAll(() => host.close())

  test('signs a link, verifies the webhook and reads the result', async () => {
    const { origin, apiKey } = host
    const { configuration, session } = createClient({ origin, apiKey })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hook`
    const { secret } = await configuration.createWebhookEndpoint({ url, events: ['VerificationCompleted'] })
    const env = {
      SELFSAME_URL: origin,
      SELFSAME_API_KEY: apiKey,
      SELFSAME_WEBHOOK_SECRET: secret,
      PORT: String(port),
    }
    const program = await runCommand([python!, 'examples/python/welcome.py'], env)
    const [, link] = await program.printed(/^Open (\S+)$/)
    const { pathname, search } = new URL(link!)
    const verificationId = pathname.split('/').at(-1)!
    const opened = await configuration.initRedirectSession({ verificationId, queryString: search })
    await session(opened.sessionToken).submitSession({ frames: [], consent: { ...consent, given: false } })
    await program.printed(/^7 Fail \['consentDeclined'\]$/)
    const forged = JSON.stringify({ event: 'VerificationCompleted', verificationSessionId: 'a' })
    expect((await fetch(url, { method: 'POST', body: forged })).status).toBe(401)
    const headers = {
      'webhook-id': 'a',
      'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
      'webhook-signature': 'v1,a',
    }
    expect((await fetch(url, { method: 'POST', body: forged, headers })).status).toBe(401)
    await program.printed(/^No signature of the event holds\.$/)
    await program.stop()
  })

  test('searches a face, and says what is wrong with a call', async () => {
    const { origin, apiKey } = host
    const { faceRecognition } = createClient({ origin, apiKey })
    await faceRecognition.createCollection({ collectionId: 'python' })
    const { faceId } = await faceRecognition.indexFace({
      collectionId: 'python',
      image: await imageOf(fakeJpeg({ person: 'anna' })),
    })
    const folder = mkdtempSync(join(tmpdir(), 'selfsame-python-'))
    const search = (collection: string, person: string) => {
      const file = join(folder, `${person}.jpg`)
      writeFileSync(file, fakeJpeg({ person }))
      const env = { PATH: process.env.PATH, SELFSAME_URL: origin, SELFSAME_API_KEY: apiKey }
      return runCommand(
        [python!, 'examples/python/search.py', collection, file],
        env as Record<string, string>,
      )
    }
    await (await search('python', 'anna')).printed(new RegExp(`^${faceId}$`))
    await (await search('python', 'berta')).printed(/^nobody$/)
    await (await search('missing', 'anna')).printed(/^404 \w+: /)
    rmSync(folder, { recursive: true })
  })
})
