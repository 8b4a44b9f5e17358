import '../long-alone.ts'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeJpeg } from '../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../support/host.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'selfsame-generated-'))
const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch']

/** A program written by a developer who knows only the API document. */
const program = `import { client } from './generated/client.gen'
import { createCollection, createSignature, getToken, getVerifyToken, indexFace, searchFace, validateSignature } from './generated'

const [origin, apiKey, picture] = process.argv.slice(2) as [string, string, string]
client.setConfig({
  baseUrl: origin,
  throwOnError: true,
  auth: ({ type, name }) => (type !== 'apiKey' ? undefined : name === 'Authorization' ? 'ApiKey ' + apiKey : apiKey),
})

async function main() {
  const throwOnError = true
  const { data: issued } = await getToken({ query: { expirationInSeconds: 60 }, throwOnError })
  const { data: plain } = await getVerifyToken({ throwOnError })
  const { data: signed } = await createSignature({ body: { queryString: 'order=7' }, throwOnError })
  const queryString: string = signed.signedQueryString
  const { data: checked } = await validateSignature({ body: { queryString }, throwOnError })
  const result: 'Valid' | 'Invalid' | 'Expired' | 'NonceAlreadyUsed' = checked.result
  const { data: made } = await createCollection({ body: { collectionId: 'generated' }, throwOnError })
  const face = { collectionId: made.collectionId, image: { bytes: picture } }
  const { data: indexed } = await indexFace({ body: face, throwOnError })
  const { data: found } = await searchFace({ body: { ...face, faceMatchThreshold: 80 }, throwOnError })
  const { error } = await createCollection({ body: { collectionId: 'generated' }, throwOnError: false })
  const code: string | undefined = error?.code
  console.log(JSON.stringify({ token: issued.token, plain, result, indexed, found, code }))
}

main()
`

/** The same using only types and a small client over fetch: eleven first calls that set nothing but the key. */
const fetchProgram = `import createClient from 'openapi-fetch'
import type { paths } from './paths'

const [origin, apiKey, bytes] = process.argv.slice(2) as [string, string, string]
const client = createClient<paths>({ baseUrl: origin, headers: { Authorization: 'ApiKey ' + apiKey } })

async function done<Data>(call: Promise<{ data?: Data; error?: unknown }>): Promise<Data> {
  const { data, error } = await call
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

async function main() {
  const now = await done(client.GET('/v1/datetime/utc-now'))
  const issued = await done(client.GET('/v1/token/get', { params: { query: { expirationInSeconds: 60 } } }))
  const signed = await done(client.POST('/v1/signature/create', { body: { queryString: 'order=7' } }))
  const queryString: string = signed.signedQueryString
  const checked = await done(client.POST('/v1/signature/validate', { body: { queryString } }))
  const result: 'Valid' | 'Invalid' | 'Expired' | 'NonceAlreadyUsed' = checked.result
  const { verificationId } = await done(client.POST('/v1/verification/create', { body: { name: 'Typed', verificationConfig: {} } }))
  const read = await done(client.GET('/v1/verification/get', { params: { query: { verificationId } } }))
  const { collectionId } = await done(client.POST('/v1/collection/create', { body: { collectionId: 'typed' } }))
  const image = { bytes }
  const detected = await done(client.POST('/v1/face-verification/detect-faces', { body: { image } }))
  const indexed = await done(client.POST('/v1/face/index', { body: { image, collectionId } }))
  const found = await done(client.POST('/v1/face/search', { body: { image, collectionId } }))
  const query = { collectionName: collectionId, includeDemographicalInfo: true }
  const duplicate = await done(
    client.POST('/api/v1/verify/verify-duplicate', { params: { query }, body: { imageData: bytes } }),
  )
  const { error } = await client.POST('/v1/collection/create', { body: { collectionId } })
  console.log(JSON.stringify({
    now: now.utcNow, token: issued.token, result, name: read.verification?.name, faces: detected.faces?.length,
    isFound: found.faceId === indexed.faceId, isDuplicate: duplicate.isDuplicate, code: error?.code,
  }))
}

main()
`

let host: Host
beforeAll(async () => {
  host = await startHost()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'openapi.json'), await (await host.fetch('/openapi.json')).text())
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'fetch-program.ts'), fetchProgram)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const generated = join(folder, 'generated')
  await run(
    '@hey-api/openapi-ts/bin/run.js',
    '-i',
    './openapi.json',
    '-o',
    generated,
    '--silent',
    '-p',
    ...plugins,
  )
  await run('openapi-typescript/bin/cli.js', './openapi.json', '-o', './paths.d.ts')
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

/** Runs one of a package's programs in the folder. @throws an Error with its output if it fails */
function run(program: string, ...args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: folder })
    let said = ''
    let errors = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.on('error', fail)
    child.on('close', (code) => (code === 0 ? done(said) : fail(new Error(said + errors))))
  })
}

describe('a client that is generated from the document', () => {
  test.each(['program.ts', 'fetch-program.ts'])('type-checks: %s', async (file) => {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext']
    const types = [
      '--moduleResolution',
      'bundler',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules/@types'),
    ]
    await run('typescript-7/bin/tsc', ...options, ...types, file)
  })

  test('issues a token, signs, creates a collection and finds a face in it', async () => {
    const picture = Buffer.from(fakeJpeg({ person: 'anna' })).toString('base64')
    const said = JSON.parse(await run('tsx/dist/cli.mjs', 'program.ts', host.origin, host.apiKey, picture))
    expect(said).toMatchObject({ result: 'Valid', code: 'conflict', found: { hasFace: true } })
    expect(said.token.split('.')).toHaveLength(3)
    expect(said.plain.split('.')).toHaveLength(3)
    expect(said.indexed.faceId).toEqual(expect.any(String))
    expect(said.found.faceId).toBe(said.indexed.faceId)
  })

  test('makes the first calls through openapi-fetch', async () => {
    const picture = Buffer.from(fakeJpeg({ person: 'anna' })).toString('base64')
    const said = JSON.parse(
      await run('tsx/dist/cli.mjs', 'fetch-program.ts', host.origin, host.apiKey, picture),
    )
    expect(said).toMatchObject({
      result: 'Valid',
      name: 'Typed',
      faces: 1,
      isFound: true,
      isDuplicate: true,
      code: 'conflict',
    })
    expect(said.token.split('.')).toHaveLength(3)
    expect(said.now).toMatch(/^\d{4}-/)
  })
})
