import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { BuiltFile } from '#workers/web/built-file.ts'
import { createKeptFiles } from '#workers/web/kept-files.ts'

const origin = 'https://check.example'
const integrityOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
const file = (address: string, text: string, shell = false): BuiltFile => ({
  address,
  integrity: integrityOf(text),
  shell,
})

/** The part of Cache Storage that is used here. */
let kept: Map<string, Response>
/** The server's files and the requests it received. */
let served: Map<string, string>
let asked: string[]
let full: boolean

const cache = {
  match: async (key: string) => kept.get(key)?.clone(),
  put: async (key: string, answer: Response) => {
    if (full) throw new DOMException('no room', 'QuotaExceededError')
    kept.set(key, answer)
  },
  keys: async () => [...kept.keys()].map((key) => new Request(origin + key)),
  delete: async (request: Request) => kept.delete(request.url.slice(origin.length)),
} as unknown as Cache

/** The platform's fetch, which rejects content that does not have the expected integrity. */
async function fetchServed(address: string, { integrity, headers }: RequestInit): Promise<Response> {
  asked.push(address)
  const text = served.get(address)
  if (text === undefined) return new Response('', { status: 404 })
  const [, first] = /^bytes=(\d+)-$/.exec(new Headers(headers).get('range') ?? '') ?? []
  if (first !== undefined) return new Response(text.slice(Number(first)), { status: 206 })
  if (integrity !== undefined && integrity !== integrityOf(text)) throw new TypeError('another content')
  return new Response(text, { headers: { 'cross-origin-embedder-policy': 'require-corp' } })
}

const first = [file('/verification', 'page 1', true), file('/assets/main-1.js', 'main 1', true)]
const weights = file('/assets/eye-e.onnx', 'eye')
const second = [file('/verification', 'page 2', true), file('/assets/main-2.js', 'main 2', true), weights]

const filesOf = (list: readonly BuiltFile[]) =>
  createKeptFiles(list, { open: async () => cache, fetch: fetchServed })
const textOf = async (address: string, list: readonly BuiltFile[]) =>
  (await filesOf(list).find(address))?.text()
const ask = (address: string) => new Request(origin + address)

beforeEach(() => {
  kept = new Map()
  served = new Map([
    ['/verification', 'page 1'],
    ['/assets/main-1.js', 'main 1'],
    ['/assets/eye-e.onnx', 'eye'],
  ])
  asked = []
  full = false
})

function deploySecond(): void {
  served.set('/verification', 'page 2').set('/assets/main-2.js', 'main 2')
  served.delete('/assets/main-1.js')
}

describe('the cached files', () => {
  test('are fetched once, with their original headers', async () => {
    const files = filesOf(first)
    await files.keep(['/verification', '/assets/main-1.js'])
    await files.keep(['/assets/main-1.js'])
    expect(asked).toEqual(['/verification', '/assets/main-1.js'])
    const answer = await files.answer(ask('/assets/main-1.js'))
    expect(answer.headers.get('cross-origin-embedder-policy')).toBe('require-corp')
    expect(asked).toHaveLength(2)
  })

  test('are those of the build and assets, whatever a page requests', async () => {
    await filesOf(first).keep(['/v1/verification/get-session', '/verification/link?reSignature=00', '/demo'])
    expect(asked).toEqual([])
  })

  test('have the content of the build', async () => {
    served.set('/assets/main-1.js', 'altered')
    await expect(filesOf(first).keep(['/assets/main-1.js'])).rejects.toThrow()
    expect(kept.size).toBe(0)
  })

  test('are never the server’s error responses', async () => {
    await expect(filesOf(first).keep(['/assets/gone.js'])).rejects.toThrow('404')
    expect(kept.size).toBe(0)
  })

  test('come from the server if they are missing, and are cached on the way', async () => {
    expect(await (await filesOf(second).answer(ask('/assets/eye-e.onnx'))).text()).toBe('eye')
    expect([...kept.keys()]).toEqual(['/assets/eye-e.onnx'])
  })

  test('are not cached on the way if another build names them', async () => {
    expect(await (await filesOf(second).answer(ask('/assets/main-1.js'))).text()).toBe('main 1')
    expect(kept.size).toBe(0)
  })

  test('are fetched again when a page finds them damaged', async () => {
    kept.set('/assets/eye-e.onnx', new Response('damaged'))
    const files = filesOf(second)
    expect(await (await files.answer(ask('/assets/eye-e.onnx'))).text()).toBe('damaged')
    expect(await (await files.answer(ask('/assets/eye-e.onnx?anew'))).text()).toBe('eye')
    expect(await (await files.answer(ask('/assets/eye-e.onnx'))).text()).toBe('eye')
  })

  test('the rest of an interrupted download comes from the server, and is not cached as the file', async () => {
    const rest = new Request(`${origin}/assets/eye-e.onnx`, { headers: { range: 'bytes=2-' } })
    expect(await (await filesOf(second).answer(rest)).text()).toBe('e')
    expect(kept.size).toBe(0)
  })

  test('still come from the server if the device is full', async () => {
    full = true
    expect(await (await filesOf(second).answer(ask('/assets/eye-e.onnx'))).text()).toBe('eye')
  })
})

describe('two builds', () => {
  beforeEach(async () => {
    await filesOf(first).keep(['/verification', '/assets/main-1.js'])
    deploySecond()
    await filesOf(second).keep(['/verification', '/assets/main-2.js'])
  })

  test('coexist: each finds its own page, and either answers for both', async () => {
    expect(await textOf('/verification', first)).toBe('page 1')
    expect(await textOf('/verification', second)).toBe('page 2')
    expect(await (await filesOf(second).answer(ask('/assets/main-1.js'))).text()).toBe('main 1')
  })

  test('become one when the old one is pruned, except for files that a page still needs', async () => {
    await filesOf(second).prune(['/assets/main-1.js'])
    expect(await textOf('/verification', first)).toBeUndefined()
    expect(await textOf('/assets/main-1.js', second)).toBe('main 1')
    await filesOf(second).prune([])
    expect(await textOf('/assets/main-1.js', second)).toBeUndefined()
    expect(await textOf('/verification', second)).toBe('page 2')
    expect(await textOf('/assets/main-2.js', second)).toBe('main 2')
  })
})
