import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packs } from '#models/rules/packs.ts'
import { collectionProgram } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { readSettings } from '#server/app/settings.ts'
import { provenanceOf } from '#server/platform/running/provenance.ts'
import { detectLiveness } from '#shared/contract/analysis/liveness.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import { createCollection, indexFace, searchFace } from '#shared/contract/recognition/recognition.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { isLong } from '../../../e2e/support/length.ts'
import {
  launch,
  type ServerProcess,
  startProcess,
  stillLoading,
} from '../../support/programs/server-process.ts'
import { astronaut, bytesOf } from '../../support/upload.ts'

let folder: string
const children: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-main-'))
})
afterAll(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startProcess({ DATA_DIR: folder, ...env })
  children.push(server.child)
  return server
}

async function exitOf(env: Record<string, string> = {}): Promise<number | null> {
  const child = launch({ DATA_DIR: folder, ...env })
  children.push(child)
  return (await once(child, 'exit'))[0] as number | null
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The whole command, with the settings of the server. */
const invited = expect.stringMatching(
  /^To get in, run: DATA_DIR=\S+ PORT=\d+ npm run account -- invite NAME --role owner$/,
)

describe('the server', () => {
  test('prints the address, the key once and the demo; keeps everything after a kill and a stop', async () => {
    const first = await start()
    expect(first.lines).toEqual([
      expect.stringMatching(/^API key: [\w-]{43}$/),
      'This key is shown only once: save it.',
      expect.stringMatching(
        /^Webhooks of verifications carry this key, which grants no access, in X-API-Key: [\w-]{43}$/,
      ),
      ...provenanceOf(packs.standard),
      expect.stringMatching(/^Selfsame is ready at http:\/\/127\.0\.0\.1:\d+\/$/),
      expect.stringMatching(/^Console: http:\/\/localhost:\d+\/console$/),
      invited,
      `Demo: ${first.origins[0]}/demo`,
    ])
    const { signedQueryString: queryString } = await first.call(createSignature, {
      body: { queryString: 'a=1' },
    })
    expect(await first.stop('SIGKILL')).toBeNull()

    const second = await start()
    expect(second.lines).toEqual([
      'API key: printed at the first start',
      `Selfsame is ready at ${second.origins[0]}/`,
      expect.stringMatching(/^Console: http:\/\/localhost:\d+\/console$/),
      invited,
      `Demo: ${second.origins[0]}/demo`,
    ])
    const { apiKey } = first
    expect(await second.call(validateSignature, { apiKey, body: { queryString } })).toEqual({
      result: 'Valid',
    })
    expect(await second.stop('SIGTERM')).toBe(0)
  })

  if (isLong)
    test('with the conservative pack serves the roles for which it has networks, and finds a face again', async () => {
      const server = await start({ DATA_DIR: join(folder, 'conservative'), MODEL_PACK: 'conservative' })
      expect(server.lines).toEqual(expect.arrayContaining([...provenanceOf(packs.conservative)]))
      await server.ready()
      const collectionId = 'people'
      const collection = async (...words: string[]) => {
        const told: string[] = []
        const tell = (text: string) => void told.push(text)
        const settings = () => readSettings({ DATA_DIR: join(folder, 'conservative') })
        await runCommand(collectionProgram, words, settings, {
          write: tell,
          error: tell,
          ask: async () => '',
        })
        return told.join('\n')
      }
      await server.call(createCollection, { body: { collectionId } })
      const added = await server.call(indexFace, { body: { collectionId, image: bytesOf(astronaut) } })
      const mirrored = await sharp(astronaut).flop().jpeg({ quality: 80 }).toBuffer()
      const found = await server.call(searchFace, { body: { collectionId, image: bytesOf(mirrored) } })
      expect(found).toMatchObject({ hasFace: true, faceId: added.faceId })
      const image = bytesOf(astronaut)
      const missing = await server.call(detectLiveness, { body: { image } }).catch((problem) => problem)
      expect(missing.status).toBe(404)
      const document = await fetch(`${server.origins[0]}/openapi.json`).then((answer) => answer.text())
      expect(document).toContain(searchFace.path)
      expect(document).not.toContain(detectLiveness.path)
      await server.stop('SIGKILL')

      const later = await start({ DATA_DIR: join(folder, 'conservative'), FORMER_MODEL_PACK: 'conservative' })
      await later.ready()
      const again = { apiKey: server.apiKey, body: { collectionId, image: bytesOf(mirrored) } }
      expect(await later.call(searchFace, again)).toMatchObject({ faceId: added.faceId })
      await later.stop('SIGTERM')
      expect(await collection('list')).toMatch(/1 of dlib-face\/2 and fr-feature\/2/)
      expect(await collection('settle', collectionId)).toMatch(/with an embedding of the current model: 1/)
      const last = await start({ DATA_DIR: join(folder, 'conservative') })
      await last.ready()
      expect(await last.call(searchFace, again)).toMatchObject({ faceId: added.faceId })
      await last.stop('SIGKILL')
    })

  if (isLong)
    test('keeps serving if its output is not read', async () => {
      const port = await freePort()
      const child = launch({
        ...stillLoading,
        DATA_DIR: join(folder, 'unread'),
        PORT: String(port),
        LOG_LEVEL: 'info',
      })
      children.push(child)
      child.stdout?.destroy()
      child.stderr?.destroy()
      const ask = () => fetch(`http://127.0.0.1:${port}/v1/healthz`).then((answer) => answer.status)
      await expect.poll(() => ask().catch(() => 0), { timeout: 20_000 }).toBe(200)
      expect(await ask()).toBe(200)
      expect(child.exitCode).toBeNull()
    })

  test('keeps its secret to its owner, and does not start if others may read it', async () => {
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['secret', 'store']))
    const path = join(folder, 'secret')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await chmod(path, 0o644)
    expect(await exitOf()).not.toBe(0)
    await chmod(path, 0o600)
  })

  if (isLong)
    test('does not open the debugger on SIGUSR1', async () => {
      const server = await start({ ...stillLoading, DATA_DIR: join(folder, 'debugger'), LOG_LEVEL: 'info' })
      let told = ''
      server.child.stderr!.on('data', (text) => {
        told += text
      })
      server.child.kill('SIGUSR1')
      await expect.poll(() => told, { timeout: 5000 }).toMatch(/debugger/i)
      expect(told).toContain('the debugger stays closed')
      expect(told).not.toContain('Debugger listening')
      expect(await server.stop('SIGTERM')).toBe(0)
    })

  test('does not start on the store of another region, or with a wrong setting', async () => {
    expect(await exitOf({ REGION: 'US' })).not.toBe(0)
    expect(await exitOf({ PORT: 'x' })).not.toBe(0)
  })

  test.each([
    [
      'a setting',
      { METRICS_TOKEN: 'my secret' },
      'The settings are wrong.\n  METRICS_TOKEN: Must have 16 or more',
    ],
    ['the folder of the pages', { WEB_DIR: '/nowhere' }, 'WEB_DIR (/nowhere) contains no built page'],
  ])(
    'says what is wrong with %s, and neither where in the code nor what was given',
    async (_name, env, words) => {
      const child = launch({ DATA_DIR: folder, ...env })
      children.push(child)
      let told = ''
      child.stderr!.on('data', (text) => {
        told += text
      })
      const [code] = await once(child, 'close')
      expect([code, told]).toEqual([1, expect.stringContaining(`Selfsame did not start. ${words}`)])
      expect(told).not.toMatch(/ {4}at |my secret/)
    },
  )
})

describe('roles', () => {
  if (isLong)
    test('use separate ports, and a token of one is accepted on the other', async () => {
      const data = join(folder, 'ports')
      const server = await start({ DATA_DIR: data, LISTEN: '0:configuration,security;0:face-recognition' })
      const [pages, faces] = server.origins as [string, string]
      expect(server.lines.slice(-5, -3)).toEqual([
        `Selfsame is ready at ${pages}/ (configuration, security)`,
        `Selfsame is ready at ${faces}/ (face-recognition)`,
      ])
      expect(server.lines.at(-1)).toBe(`Demo: ${pages}/demo`)
      const { token } = await server.call(getToken, { query: {} })
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${faces}/v1/collection/get-all`, { headers })).status).toBe(200)
      expect((await fetch(`${pages}/v1/collection/get-all`, { headers })).status).toBe(404)
      expect((await fetch(`${faces}/v1/token/get`)).status).toBe(404)
      expect((await fetch(`${faces}/demo`)).status).toBe(404)
      expect(await server.stop('SIGTERM')).toBe(0)
    })

  test('run in separate processes, on one store', async () => {
    const data = join(folder, 'processes')
    const security = await start({ DATA_DIR: data, ROLES: 'security', DEMO: 'false' })
    expect(security.lines.at(-1)).toBe(`Selfsame is ready at ${security.origins[0]}/`)
    const SECURITY_URL = security.origins[0]!
    const faces = await start({
      ...stillLoading,
      DATA_DIR: data,
      ROLES: 'face-recognition',
      DEMO: 'false',
      SECURITY_URL,
    })
    const { token } = await security.call(getToken, { query: {} })
    await security.call(getUtcNow, { bearer: token })
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${faces.origins[0]}/v1/collection/get-all`, { headers })).status).toBe(200)
    expect((await fetch(`${SECURITY_URL}/v1/readyz`)).status).toBe(200)
    for (const each of [security, faces]) expect(await each.stop('SIGTERM')).toBe(0)
  })
})
