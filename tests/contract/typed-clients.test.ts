import { spawn, spawnSync } from 'node:child_process'
import type { GenericSchema } from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createCollection, searchFace } from '#shared/contract/recognition/recognition.ts'
import { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { endpoints } from '../support/contract/endpoints.ts'
import { fakeJpeg } from '../support/drawn/fake-picture.ts'
import { ask, expectProblem, expectResult } from './ask.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting.close())

const picture = Buffer.from(fakeJpeg({ person: 'anna' }))

type Entries = Readonly<Record<string, GenericSchema>>
interface Parts {
  readonly type: string
  readonly wrapped?: GenericSchema & Parts
  readonly entries?: Entries
}

const partsOf = (schema: GenericSchema) => schema as GenericSchema & Parts

/** Some typed clients serialise every member of a class, using null for members that were not set. */
function withNulls(schema: GenericSchema | undefined, value: unknown): unknown {
  const entries = schema && partsOf(schema).entries
  if (schema !== undefined && partsOf(schema).wrapped !== undefined)
    return withNulls(partsOf(schema).wrapped, value)
  if (entries === undefined || typeof value !== 'object' || value === null) return value
  const given = value as Record<string, unknown>
  const members = Object.entries(entries).flatMap(([name, entry]): [string, unknown][] => {
    if (name in given) return [[name, withNulls(entry, given[name])]]
    return partsOf(entry).type === 'optional' ? [[name, null]] : []
  })
  return Object.fromEntries(members)
}

const theirs = [...endpoints].filter(
  ([, { ignoresUnknownNames, body }]) => ignoresUnknownNames && body !== undefined,
)

describe('a typed client that sends null for unused members', () => {
  test.for(theirs)('calls %s as without', async ([name, endpoint], { task }) => {
    task.meta.tried = { endpoint: name, rule: 'null counts as absent' }
    const { query, body } = (endpoint.example ?? {}) as Record<string, Record<string, string> | undefined>
    const authorization = setting.key
    const plain = await ask(setting, endpoint, { authorization, ...(query && { query }), body })
    const typed = await ask(setting, endpoint, {
      authorization,
      ...(query && { query }),
      body: withNulls(endpoint.body, body),
    })
    // The first call's record conflicts with the second one's.
    const expected = name === 'createVerification' || name === 'createCollection' ? 409 : plain.status
    expect(typed.status, typed.text).toBe(expected)
    expect(typed.headers.get('selfsame-ignored')).toBeNull()
  })

  test('is refused if a required member is null', async () => {
    const body = { queryString: null }
    const { errors } = expectProblem(
      await ask(setting, createSignature, { authorization: setting.key, body }),
      400,
    )
    expect(errors!.map(({ pointer }) => pointer)).toEqual(['#/queryString'])
  })
})

describe('a picture', () => {
  const bytes = picture.toString('base64')
  const detect = (image: unknown) =>
    ask(setting, detectFaces, { authorization: setting.key, body: { image } })

  test.each([
    ['beside an empty address', { bytes, url: '' }],
    ['beside null', { bytes, url: null }],
    ['with line breaks', { bytes: bytes.replace(/.{76}/g, '$&\r\n') }],
    ['as a data address', { bytes: `data:image/jpeg;base64,${bytes}` }],
    ['in the address-safe alphabet, without padding', { bytes: picture.toString('base64url') }],
  ])('is read %s', async (_what, image) => {
    expectResult(detectFaces, await detect(image))
  })

  test.each([
    [{ bytes: '', url: '' }, '#/image', 'Must have url or bytes.'],
    [{ bytes: '' }, '#/image/bytes', 'Must not be empty.'],
    [{ url: '' }, '#/image/url', 'Must be an http or https address.'],
    [{ bytes, url: 'https://example.com/a.jpg' }, '#/image', 'Must have either url or bytes, not both.'],
    [{ bytes: 'AA==AAAA' }, '#/image/bytes', 'Must have nothing after the padding.'],
  ])('is refused with a pointer: %j', async (image, pointer, message) => {
    const { errors } = expectProblem(await detect(image), 400)
    expect(errors).toEqual([{ pointer, message }])
  })
})

describe('names that are ignored', () => {
  test('are listed in the answer with similar ones, from body and query, and in the request log', async () => {
    const authorization = setting.key
    await ask(setting, createCollection, { authorization, body: { collectionId: 'ignored' } })
    const image = { bytes: picture.toString('base64'), uri: 'x' }
    const body = { image, collectionId: 'ignored', threshold: 99, zebra: 1 }
    const answer = await ask(setting, searchFace, { authorization, query: { 'trace-id': 'x' }, body })
    expectResult(searchFace, answer)
    expect(answer.headers.get('selfsame-ignored')).toBe(
      'uri;near="url", threshold;near="faceMatchThreshold", zebra, trace-id',
    )
    const failed = await ask(setting, searchFace, {
      authorization,
      body: { ...body, collectionId: 'nowhere' },
    })
    expectProblem(failed, 404)
    expect(failed.headers.get('selfsame-ignored')).toContain('threshold')
    await setting.host.services.requestLog.flush()
    const [last, before] = await setting.host.services.requestLog.of(setting.host.accountId)
    expect([last, before].map((one) => one?.ignored?.includes('zebra'))).toEqual([true, true])
  })

  test('are exposed to browsers', async () => {
    const on = await setting.hostWith('pages', { site: { corsOrigins: ['*'] } })
    const headers = { origin: 'https://shop.example' }
    const answer = await ask(setting, detectFaces, { on, headers, body: {} })
    expect(answer.headers.get('access-control-expose-headers')).toContain('Selfsame-Ignored')
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0

/** Ten first calls in plain Python: `True` in a query, Base64 with line breaks, and None for members that were not set. */
const program = `
import base64, json, sys, urllib.parse, urllib.request
origin, key, picture = sys.argv[1], sys.argv[2], sys.stdin.buffer.read()
def call(method, path, body=None, **query):
    address = origin + path + ('?' + urllib.parse.urlencode(query) if query else '')
    data = None if body is None else json.dumps(body).encode()
    headers = {'Authorization': 'ApiKey ' + key, 'Content-Type': 'application/json'}
    with urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method)) as answer:
        return json.loads(answer.read())
image = {'bytes': base64.encodebytes(picture).decode(), 'url': None}
signed = call('POST', '/v1/signature/create', {'queryString': 'name=Zo\\u00eb', 'securitySettings': None})
made = call('POST', '/v1/verification/create', {'name': 'Erste Pr\\u00fcfung', 'verificationConfig': {'verifierConfigs': {'liveness': None}}})
call('POST', '/v1/collection/create', {'collectionId': 'python', 'description': None})
indexed = call('POST', '/v1/face/index', {'image': image, 'collectionId': 'python'})
print(json.dumps({
    'now': call('GET', '/v1/datetime/utc-now')['utcNow'],
    'token': call('GET', '/v1/token/get', expirationInSeconds=60)['token'],
    'checked': call('POST', '/v1/signature/validate', {'queryString': signed['signedQueryString']})['result'],
    'name': call('GET', '/v1/verification/get', verificationId=made['verificationId'])['verification']['name'],
    'faces': len(call('POST', '/v1/face-verification/detect-faces', {'image': image, 'maxFaceCount': None})['faces']),
    'found': call('POST', '/v1/face/search', {'image': image, 'collectionId': 'python', 'faceMatchThreshold': None})['faceId'] == indexed['faceId'],
    'duplicate': call('POST', '/api/v1/verify/verify-duplicate', {'imageData': image['bytes']}, collectionName='python', includeDemographicalInfo=True)['isDuplicate'],
}))
`

test.skipIf(!hasPython)('ten first calls work from Python without a setting', async () => {
  const { host } = setting
  const child = spawn('python3', ['-c', program, host.origin, host.apiKey])
  child.stdin.end(picture)
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await new Promise((done) => child.on('close', done))
  expect(JSON.parse(said)).toMatchObject({
    checked: 'Valid',
    name: 'Erste Prüfung',
    faces: 1,
    found: true,
    duplicate: true,
  })
})

test.each(['true', 'True', 'TRUE', 'false', 'False'])('a query accepts %s as a boolean', async (flag) => {
  const query = { collectionName: 'flags', includeDemographicalInfo: flag }
  const body = { imageData: picture.toString('base64') }
  const answer = await ask(setting, verifyDuplicate, { authorization: setting.key, query, body })
  expectResult(verifyDuplicate, answer)
  expect('demographicalInfo' in JSON.parse(answer.text)).toBe(flag.toLowerCase() === 'true')
})

test.each(['yes', '1', ' true', ''])('and %j as nothing', async (flag) => {
  const query = { collectionName: 'flags', includeDemographicalInfo: flag }
  const body = { imageData: picture.toString('base64') }
  const { errors } = expectProblem(
    await ask(setting, verifyDuplicate, { authorization: setting.key, query, body }),
    400,
  )
  expect(errors).toEqual([{ pointer: '#/query/includeDemographicalInfo', message: 'Must be true or false.' }])
})
