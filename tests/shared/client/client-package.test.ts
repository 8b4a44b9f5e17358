import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '#shared/client/client.ts'
import { bundle } from '../../../build/client.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import { some } from '../../../e2e/support/length.ts'
import { compileAsUser } from '../../support/compile-as-user.ts'
import { examplesOf, readPage } from '../../support/document-pages.ts'
import { fakeJpeg } from '../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../support/host.ts'
import { clientBundle, ensureBuiltClient } from '../../support/programs/built-client.ts'

const run = promisify(execFile)

let host: Host
beforeAll(async () => {
  await ensureBuiltClient()
  host = await startHost()
})
afterAll(() => host.close())

/** Tokens, a link, a collection and a search, in any environment. */
const program = `
const server = createClient({ origin, apiKey })
const { token } = await server.security.getToken({ expirationInSeconds: 60 })
const client = createClient({ origin, bearer: () => token })
const { faceRecognition, configuration } = client
const { signature } = await configuration.createSignature({ queryString: 'order=7' })
await faceRecognition.createCollection({ collectionId: name })
const image = await imageOf(Uint8Array.from(picture))
const indexed = await faceRecognition.indexFace({ collectionId: name, image })
const found = await faceRecognition.searchFace({ collectionId: name, image })
const { code } = await client.faceRecognition.createCollection({ collectionId: name }).catch((problem) => problem)
const answer = { signed: signature.length, same: found.faceId === indexed.faceId, code }
`
const expected = { signed: 64, same: true, code: 'conflict' }

/** Code that compiles, and code that must not. */
const use = `import { type Client, createClient, imageOf, type SessionResult, type VerificationConfig } from 'selfsame/client'
export async function use(): Promise<SessionResult> {
  const client: Client = createClient({ origin: 'https://check.example', apiKey: 'k', fetch })
  const { verificationId } = await client.configuration.createVerification({ name: 'sign-up' })
  await client.faceRecognition.searchFace({ collectionId: 'a', image: await imageOf(new Uint8Array()) })
  // @ts-expect-error a member that the endpoint does not have
  await client.configuration.getVerification({ verificationIdentifier: verificationId })
  // @ts-expect-error a value that the interface does not have
  const verifierConfigs = { liveness: { type: 'Maybe' } } satisfies VerificationConfig['verifierConfigs']
  // @ts-expect-error a call of a session without one
  await client.configuration.getSession()
  const { state } = await client.session('token').getSession()
  const isDone: boolean = state === 'Completed'
  if (!isDone) await client.security.getToken()
  return client.configuration.getSessionResult({ verificationSessionId: 's' })
}
`

function givenFor(name: string): string {
  const given = { origin: host.origin, apiKey: host.apiKey, name, picture: [...fakeJpeg({ person: 'anna' })] }
  return `const { origin, apiKey, name, picture } = ${JSON.stringify(given)}`
}

describe('selfsame/client', () => {
  test('works in Node, by its name', async () => {
    const code = `import { createClient, imageOf } from 'selfsame/client'
${givenFor('node')}${program}console.log(JSON.stringify(answer))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code])
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test('works unmodified in a browser', async () => {
    const browser = await launchBrowser()
    const page = await browser.newPage()
    const serve = (path: string, contentType: string, body: string) =>
      page.route(host.origin + path, (route) => route.fulfill({ contentType, body }))
    await serve('/client.js', 'text/javascript', readFileSync(clientBundle, 'utf8'))
    await serve('/blank', 'text/html', '<!doctype html><title>a page of the integrator</title>')
    await page.goto(`${host.origin}/blank`)
    const code = `(async () => { const { createClient, imageOf } = await import('/client.js')
${givenFor('browser')}${program}return answer })()`
    expect(await page.evaluate(code)).toEqual(expected)
    await browser.close()
  })

  test('needs nothing besides itself, and is small', () => {
    const code = readFileSync(clientBundle, 'utf8')
    expect(code).not.toMatch(/\bimport\s*[{*"']|\bimport\(|\brequire\(|node:/)
    expect(gzipSync(code).length).toBeLessThan(36 * 1024)
  })

  test('is small in a page with a minified build', async () => {
    mkdirSync('.cache', { recursive: true })
    const folder = mkdtempSync(join('.cache', 'client-'))
    await bundle(clientBundle, folder, 'page.js')
    const code = readFileSync(join(folder, 'page.js'))
    rmSync(folder, { recursive: true })
    expect(gzipSync(code).length).toBeLessThan(30 * 1024)
  })

  test.each(
    some([
      ['a wrong key', (): string => host.origin, /Problem: POST \S+ was answered 401 \(unauthenticated\): /],
      [
        'a wrong port',
        (): string => 'http://127.0.0.1:18998',
        /NoAnswer: POST \S+: the connection was refused/,
      ],
    ] as const),
  )(
    'fails the program of the README with %s with a message that is readable in a terminal',
    async (_, origin, said) => {
      const [code = ''] = examplesOf(readPage('README.md'), 'ts')
      const env = { ...process.env, SELFSAME_URL: origin(), SELFSAME_API_KEY: 'not-to-be-printed' }
      const ended = run(process.execPath, ['--input-type=module', '--eval', code], { env })
      const { stderr } = await ended.then(
        () => ({ stderr: '' }),
        (error: { stderr: string }) => error,
      )
      expect(stderr).toMatch(said)
      expect(stderr).not.toContain('not-to-be-printed')
      expect(stderr.length).toBeLessThan(2000)
      expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(400)
    },
  )

  test.each(some(['nodenext', 'bundler'] as const))(
    'has types for a compilation with %s',
    async (resolution) => {
      expect(await compileAsUser({ 'use.ts': use }, resolution)).toBe('')
    },
    180_000,
  )
})

describe('the examples of the pages', () => {
  test('create a verification and a link that opens a session', async () => {
    const [verification, link] = examplesOf(readPage('docs/integrate.md'), 'ts')
    mkdirSync('.cache', { recursive: true })
    const folder = mkdtempSync(join('.cache', 'integrate-'))
    const opens = `const { pathname, search } = new URL(link)
console.log(JSON.stringify({ pathname, search, verificationId }))`
    writeFileSync(join(folder, 'example.ts'), [verification, link, opens].join('\n'))
    const env = { ...process.env, SELFSAME_URL: host.origin, SELFSAME_API_KEY: host.apiKey }
    const command = ['node_modules/tsx/dist/cli.mjs', join(folder, 'example.ts')]
    const { stdout } = await run(process.execPath, command, { env }).finally(() =>
      rmSync(folder, { recursive: true }),
    )
    const { pathname, search, verificationId } = JSON.parse(stdout)
    expect(pathname).toBe(`/verification/${verificationId}`)
    const { configuration } = createClient({ origin: host.origin })
    const opened = await configuration.initRedirectSession({ verificationId, queryString: search })
    expect(opened.capturePlan.verifiers).toMatchObject({ liveness: true, faceRecognition: true })
  })
})
