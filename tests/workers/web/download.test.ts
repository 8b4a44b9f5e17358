import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type DownloadOptions, download, WrongFile } from '#workers/web/download.ts'

const file = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7 + (i >> 8)) % 251)
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Downloads from a server that gives its answers in this order and repeats the last one. Also returns the requests. */
async function downloadFrom(answers: readonly RequestListener[], options: DownloadOptions = {}) {
  const ranges: (string | undefined)[] = []
  const server = createServer((request, response) => {
    ranges.push(request.headers.range)
    answers[Math.min(ranges.length, answers.length) - 1]!(request, response)
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/network`
  const bytes = await download({ address, bytes: file.length }, { pauses: [1, 1], ...options }).catch(
    (error: unknown) => error as Error,
  )
  return { bytes, ranges }
}

/** Comparing byte by byte would take vitest several seconds. */
const isFile = (bytes: Uint8Array | Error) => bytes instanceof Uint8Array && Buffer.compare(bytes, file) === 0

const whole: RequestListener = (_request, response) => void response.end(file)
/** Breaks the connection after this number of bytes. */
const cutAfter =
  (count: number): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': file.length })
    response.write(file.subarray(0, count), () => setTimeout(() => response.destroy(), 20))
  }
/** Answers the way a server that supports ranges does. */
const rest: RequestListener = (request, response) => {
  const first = Number(/\d+/.exec(request.headers.range!)![0])
  response.writeHead(206, { 'content-range': `bytes ${first}-${file.length - 1}/${file.length}` })
  response.end(file.subarray(first))
}
const silent: RequestListener = () => {}

describe('a download', () => {
  test('without interruptions is the file, and reports its progress', async () => {
    const told: number[] = []
    const { bytes, ranges } = await downloadFrom([whole], { onBytes: (count) => told.push(count) })
    expect(isFile(bytes)).toBe(true)
    expect(ranges).toEqual([undefined])
    expect(told.at(-1)).toBe(file.length)
  })

  test('that was interrupted continues after the received bytes', async () => {
    const { bytes, ranges } = await downloadFrom([cutAfter(50_000), rest])
    expect(isFile(bytes)).toBe(true)
    expect(ranges).toEqual([undefined, 'bytes=50000-'])
  })

  test('restarts if the server does not support ranges', async () => {
    const { bytes, ranges } = await downloadFrom([cutAfter(50_000), whole])
    expect(isFile(bytes)).toBe(true)
    expect(ranges).toHaveLength(2)
  })

  test('of half a file that ends as if it were whole continues as well', async () => {
    const half: RequestListener = (_request, response) => void response.end(file.subarray(0, 100_000))
    const { bytes, ranges } = await downloadFrom([half, rest])
    expect(isFile(bytes)).toBe(true)
    expect(ranges.at(-1)).toBe('bytes=100000-')
  })

  test('has unlimited tries as long as each brings new bytes', async () => {
    const cuts = [10, 20, 30, 40, 50].map((thousands) => cutAfter(thousands * 1000))
    const { bytes } = await downloadFrom([...cuts, whole], { pauses: [1] })
    expect(isFile(bytes)).toBe(true)
  })

  test('without new bytes is given up after the last pause', async () => {
    const { bytes, ranges } = await downloadFrom([cutAfter(1000)], { pauses: [1, 1] })
    expect(bytes).toBeInstanceOf(Error)
    expect(bytes).not.toBeInstanceOf(WrongFile)
    expect(ranges).toHaveLength(4)
  })

  test('whose connection brings nothing is tried again', async () => {
    const { bytes } = await downloadFrom([silent, whole], { stallMilliseconds: 1000 })
    expect(isFile(bytes)).toBe(true)
  })

  test.each<[string, RequestListener]>([
    [
      'a page',
      (_request, response) =>
        response.setHeader('content-type', 'text/html; charset=utf-8').end('<h1>Sign in</h1>'),
    ],
    ['a longer file', (_request, response) => void response.end(Buffer.concat([file, file]))],
  ])('that is %s is reported at once', async (_name, answer) => {
    const { bytes, ranges } = await downloadFrom([answer])
    expect(bytes).toBeInstanceOf(WrongFile)
    expect(ranges).toHaveLength(1)
  })

  test('of a missing file is not tried again', async () => {
    const { bytes, ranges } = await downloadFrom([(_request, response) => response.writeHead(404).end()])
    expect(String(bytes)).toContain('404')
    expect(ranges).toHaveLength(1)
  })
})
