import { gzipSync } from 'node:zlib'
import { endpoints } from '../../tests/support/contract/endpoints.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { createRandom, type Random } from './random.ts'
import { rawMessage } from './raw-message.ts'
import { sample } from './sample.ts'
import { strangeJsonText, strangeText, strangeTexts } from './strange-values.ts'
import type { Supplies } from './supplies.ts'

interface Draft extends Writable {
  done: string[]
  headers: [name: string, value: string][]
}

type Writable = { -readonly [K in keyof Omit<FuzzRequest, 'done' | 'headers'>]: FuzzRequest[K] }

const names = [...endpoints.keys()]

/** Generates the request with this number. The same seed, number and supplies always give the same request. */
export function generate(seed: number, number: number, supplies: Supplies): FuzzRequest {
  const random = createRandom(seed, number)
  const aim = random.pick(names)
  if (random.chance(0.02)) return rawMessage(aim, random, supplies)
  const draft = validDraft(aim, random, supplies)
  const count = random.pick([0, 1, 1, 1, 2, 3])
  for (let i = 0; i < count; i++) random.pick(mutationsFor(draft))(draft, random, supplies)
  if (random.chance(0.015)) draft.manner = random.pick(['slow', 'hang up'])
  return draft
}

/** A request that its endpoint is likely to accept. */
function validDraft(aim: string, random: Random, supplies: Supplies): Draft {
  const { method, path, auth, query, body } = endpoints.get(aim)!
  const context = { random, supplies }
  const given = query === undefined ? {} : (sample(query, '', context) as Record<string, unknown>)
  const search = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]))
  const value = body === undefined ? undefined : sample(body, '', context)
  return {
    aim,
    method,
    target: search.size === 0 ? path : `${path}?${search}`,
    headers: [...credential(auth, random, supplies), ...(body ? json : [])],
    body: value === undefined ? undefined : Buffer.from(JSON.stringify(value)),
    manner: 'whole',
    done: [],
    isExact: true,
  }
}

const json: [string, string][] = [['content-type', 'application/json']]

function credential(auth: string, random: Random, supplies: Supplies): [string, string][] {
  if (auth === 'none') return []
  if (auth === 'session') return [['authorization', supplies.sessionToken(random)]]
  const bearer = auth === 'key-or-bearer' && random.chance(0.3)
  return [['authorization', bearer ? supplies.bearer() : supplies.key]]
}

type Mutation = (draft: Draft, random: Random, supplies: Supplies) => void

/** Prefers to mutate the body if there is one. */
function mutationsFor({ body, target }: Draft): Mutation[] {
  const inBody =
    body === undefined
      ? []
      : [...Array<Mutation>(6).fill(changeMember), changeMember, changeText, changeMedia]
  const inQuery = target.includes('?') ? [changeQuery, changeQuery, changeQuery] : [changeQuery]
  return [...inBody, ...inQuery, changeHeaders, changePath, changeMethod, changeCredential]
}

/** Replaces, drops, duplicates or adds a member somewhere in the body. */
function changeMember(draft: Draft, random: Random): void {
  let root: unknown
  try {
    root = JSON.parse(String(draft.body))
  } catch {
    return
  }
  const spots = spotsOf(root)
  if (spots.length === 0) return
  const { holder, key, path } = random.pick(spots)
  const held = holder as Record<string, unknown>
  const strange = strangeJsonText(random)
  const change = random.pick(['replace', 'replace', 'replace', 'drop', 'null', 'double', 'add'] as const)
  draft.done.push(`${change} ${path}`)
  if (change === 'drop') delete held[key]
  else if (change === 'null') held[key] = null
  else if (change === 'replace') held[key] = placeholder
  else
    held[change === 'add' ? random.pick(strangeTexts) || 'extra' : key] =
      change === 'add' ? placeholder : held[key]
  const text = JSON.stringify(root)
  const repeated = change === 'double' ? text.replace(/\}$/, `,${JSON.stringify(key)}:${strange}}`) : text
  draft.body = Buffer.from(repeated.replace(`"${placeholder}"`, () => strange))
}

const placeholder = '\u2603 here \u2603'

interface Spot {
  holder: object
  key: string
  path: string
}

function spotsOf(value: unknown, path = '#'): Spot[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .slice(0, 30)
    .flatMap(([key, member]) => [
      { holder: value, key, path: `${path}/${key}` },
      ...spotsOf(member, `${path}/${key}`),
    ])
}

/** Corrupts the body's bytes. */
function changeText(draft: Draft, random: Random): void {
  const body = draft.body!
  const at = random.below(body.length + 1)
  const changes: Record<string, () => Buffer> = {
    'cut short': () => body.subarray(0, at),
    'one byte other': () =>
      Buffer.concat([body.subarray(0, at), Buffer.from([random.below(256)]), body.subarray(at + 1)]),
    'a byte order mark': () => Buffer.concat([Buffer.from('\ufeff'), body]),
    'UTF-16': () => Buffer.from(body.toString(), 'utf16le'),
    'a broken character': () =>
      Buffer.concat([body.subarray(0, at), Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]), body.subarray(at)]),
    'a NUL': () => Buffer.concat([body.subarray(0, at), Buffer.alloc(1), body.subarray(at)]),
    'more behind': () => Buffer.concat([body, body]),
    spaces: () => Buffer.concat([Buffer.alloc(100_000, ' '), body]),
    'strange JSON': () => Buffer.from(strangeJsonText(random)),
    nothing: () => Buffer.alloc(0),
  }
  const change = random.pick(Object.keys(changes))
  draft.done.push(`body: ${change}`)
  draft.body = changes[change]!()
}

/** Sends headers that do not match the body. */
function changeMedia(draft: Draft, random: Random): void {
  const body = draft.body!
  const without = draft.headers.filter(([name]) => name !== 'content-type')
  const retype = (type: string | undefined) => {
    draft.headers = type === undefined ? without : [...without, ['content-type', type]]
  }
  const changes: Record<string, () => void> = {
    'no media type': () => retype(undefined),
    'another media type': () =>
      retype(
        random.pick(['text/plain', 'image/png', 'x', 'multipart/form-data; boundary=a', 'application/json;']),
      ),
    'a charset': () =>
      retype(
        `application/json; charset=${random.pick(['utf-8', 'utf8', 'UTF-16', 'utf-7', 'latin1', 'x-none', '"', ''])}`,
      ),
    'JSON of a kind': () => retype(random.pick(['application/problem+json', 'APPLICATION/JSON'])),
    gzip: () => {
      draft.headers.push([
        'content-encoding',
        random.pick(['gzip', 'br', 'deflate', 'identity', 'x', 'gzip, gzip']),
      ])
      if (random.chance(0.5)) draft.body = gzipSync(body)
    },
    chunks: () => void draft.headers.push(['transfer-encoding', 'chunked']),
  }
  const change = random.pick(Object.keys(changes))
  draft.done.push(`body: ${change}`)
  changes[change]!()
}

/** Breaks, repeats, renames or adds a parameter. */
function changeQuery(draft: Draft, random: Random): void {
  const [path, search = ''] = draft.target.split('?', 2)
  const pairs = search === '' ? [] : search.split('&')
  const at = random.below(pairs.length)
  const [name = 'a', value = ''] = (pairs[at] ?? '').split('=')
  const strange = encode(strangeText(random).slice(0, 6000), random)
  const put = (pair: string) => void pairs.splice(at, 1, pair)
  const changes: Record<string, () => void> = {
    replace: () => put(`${name}=${strange}`),
    drop: () => void pairs.splice(at, 1),
    repeat: () => void pairs.push(`${name}=${value}`),
    'repeat with another': () => void pairs.push(`${name}=${strange}`),
    'as list': () => put(`${name}[]=${value}`),
    'encode the name': () => put(`%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${value}`),
    'name alone': () => put(name),
    add: () => void pairs.push(`${strange || 'x'}=${strange}`),
    'many parameters': () => void pairs.push(...Array.from({ length: 1000 }, (_, i) => `p${i}=${i}`)),
    'another separator': () => void pairs.splice(0, pairs.length, pairs.join(';')),
  }
  const change = random.pick(Object.keys(changes))
  draft.done.push(`query: ${change}`)
  changes[change]!()
  draft.target = `${path}?${pairs.join('&')}`
}

/** Encodes a text correctly, or not quite. */
function encode(text: string, random: Random): string {
  const sound = text.replace(/[\ud800-\udfff]/g, '\ufffd')
  return random.chance(0.7) ? encodeURIComponent(sound) : sound.replace(/[\s#?&]/g, '')
}

function changeHeaders(draft: Draft, random: Random): void {
  const header = random.pick<[string, string]>([
    ['accept', random.pick(['text/plain', 'application/xml', '*/*;q=0', 'x', ';;,,', 'text/*;q=nan'])],
    ['accept-encoding', 'gzip;q=0, *;q=0'],
    ['accept-language', 'x'.repeat(4000)],
    ['content-length', random.pick(['0', '1', '999999999', '-1', '1e3', '18446744073709551616'])],
    ['expect', random.pick(['100-continue', 'x'])],
    ['if-none-match', '*'],
    ['range', 'bytes=0-0,1-1,-1'],
    ['origin', random.pick(['null', 'https://a.example', 'x'])],
    ['x-forwarded-for', '127.0.0.1, ::1, x'],
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'https'],
    ['x-http-method-override', 'DELETE'],
    ['x-request-id', strangeTexts[random.below(10)]!],
    ['x-api-key', random.pick(['', 'x', 'x'.repeat(5000)])],
    ['cookie', 'a=b; '.repeat(500)],
    ['upgrade', 'websocket'],
    ['connection', random.pick(['close', 'keep-alive, upgrade', 'transfer-encoding'])],
    ['x-long', 'x'.repeat(random.pick([100, 15_000, 17_000]))],
    ['transfer-encoding', random.pick(['chunked', 'identity', 'gzip, chunked', 'xchunked'])],
    ['authorization', 'x'],
  ])
  draft.done.push(`header ${header[0]}`)
  draft.headers.push(header)
}

function changePath(draft: Draft, random: Random): void {
  const [path = '', search] = draft.target.split('?', 2)
  const changed = random.pick([
    `${path}/`,
    `/${path}`,
    path.toUpperCase(),
    path.replace('/v1', '/v2'),
    path.replace('/v1/', '/v1//'),
    path.replace('/v1', '/v1/.'),
    path.replace('/v1', '/x/../v1'),
    path.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
    `${path}%00`,
    `${path}%zz`,
    `${path};a=b`,
    `${path}/${encode(strangeText(random).slice(0, 2000), random)}`,
    `http://evil.example${path}`,
    '*',
    '/',
    `/${encode(random.pick(strangeTexts).slice(0, 2000), random)}`,
    '/verification/%',
    '/verification/%ED%A0%80?reSignature=x',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/.well-known/jwks.json',
    '/swagger/..%2f..%2fpackage.json',
    '/demo?x=%',
  ])
  draft.done.push('path')
  draft.isExact = false
  draft.target = search === undefined ? changed : `${changed}?${search}`
}

function changeMethod(draft: Draft, random: Random): void {
  draft.method = random.pick([
    'GET',
    'POST',
    'PUT',
    'DELETE',
    'PATCH',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'get',
    'X',
  ])
  draft.done.push('method')
  draft.isExact = false
}

function changeCredential(draft: Draft, random: Random, supplies: Supplies): void {
  const { key } = supplies
  const bearer = supplies.bearer()
  const value = random.pick([
    undefined,
    '',
    'ApiKey',
    'Bearer ',
    `ApiKey ${'A'.repeat(43)}`,
    `ApiKey  ${key.slice(7)}`,
    key.toLowerCase(),
    `${key}, ${bearer}`,
    `Bearer ${key.slice(7)}`,
    bearer,
    supplies.sessionToken(random),
    `Bearer ${supplies.worthlessToken(random)}`,
    `Bearer ${supplies.worthlessToken(random)}`,
    `Basic ${'x'.repeat(5000)}`,
  ])
  draft.done.push('credential')
  draft.headers = draft.headers.filter(([name]) => name !== 'authorization')
  if (value !== undefined) draft.headers.push(['authorization', value])
}
