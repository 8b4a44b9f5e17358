import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listStaticFiles, sendFile } from '#server/platform/http/responses/static-files.ts'

const content = 'weights '.repeat(500)
let folder: string
let server: Server
let address: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-static-'))
  await writeFile(join(folder, 'network.onnx'), content)
  await writeFile(join(folder, 'network.onnx.br'), brotliCompressSync(content))
  const files = await listStaticFiles(folder)
  const app = new Koa().use((ctx) => sendFile(ctx, files.get('/network.onnx')!, 'no-cache'))
  server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const ask = (headers: Record<string, string>) =>
  fetch(address, { headers: { 'accept-encoding': 'br', ...headers } })

test('a whole file is compressed, and announces byte ranges', async () => {
  const answer = await ask({})
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(answer.headers.get('accept-ranges')).toBe('bytes')
  expect(await answer.text()).toBe(content)
})

test.each([
  ['bytes=3000-', 3000, 3999],
  ['bytes=10-19', 10, 19],
  ['bytes=3990-9999', 3990, 3999],
])('%s is a range of the file, never compressed', async (range, first, last) => {
  const answer = await ask({ range })
  expect(answer.status).toBe(206)
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/4000`)
  expect(answer.headers.get('content-length')).toBe(String(last - first + 1))
  expect(await answer.text()).toBe(content.slice(first, last + 1))
})

test('a range beyond the end is refused with the length', async () => {
  const answer = await ask({ range: 'bytes=4000-' })
  expect(answer.status).toBe(416)
  expect(answer.headers.get('content-range')).toBe('bytes */4000')
})

test.each(['bytes=-5', 'bytes=5-2', 'bytes=0-1,5-6', 'pages=1-2'])(
  '%s is answered with all of it',
  async (range) => {
    const answer = await ask({ range })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(content)
  },
)

test('a range of another version is answered with all of this one', async () => {
  expect((await ask({ range: 'bytes=5-', 'if-range': '"another"' })).status).toBe(200)
  const tag = (await ask({})).headers.get('etag')!
  expect((await ask({ range: 'bytes=5-', 'if-range': tag })).status).toBe(206)
})
