import { describe, expect, test, vi } from 'vitest'
import { exampleQuality } from '#shared/contract/analysis/face-quality.ts'
import { readCsv } from '#shared/picture-import/csv.ts'
import type { Naming } from '#shared/picture-import/picture-names.ts'
import { Problem } from '#shared/problem.ts'
import {
  callsAtOnce,
  createFolderImport,
  type FolderImportState,
} from '#web/console/collections/folder-import.ts'

type Calls = Parameters<typeof createFolderImport>[0]['calls']

interface Kept {
  readonly faceId: string
  readonly externalId: string | null
  readonly shows: string
}

/** A call that timed out, in the form in which the client reports it. */
const tooLate = () => Object.assign(new Error('There was no answer within 20 s.'), { name: 'TimeoutError' })

/** A server that receives texts as pictures. Each text is either an outcome, such as `group` or `slow`, or the person in the picture. */
function createServer() {
  const faces: Kept[] = []
  let underWay = 0
  const seen = { most: 0, calls: 0, slow: 0, fail: [] as unknown[] }
  async function work<T>(answer: () => T): Promise<T> {
    seen.calls++
    seen.most = Math.max(seen.most, ++underWay)
    await new Promise((resolve) => setTimeout(resolve, 1))
    underWay--
    const failure = seen.fail.shift()
    if (failure !== undefined) throw failure
    return answer()
  }
  const shown = (bytes: string | null | undefined) => atob(bytes ?? '')
  const face = { confidence: 1, boundingBox: { x: 0, y: 0, width: 1, height: 1 } }
  const calls = {
    searchCandidates: ({ image }: { image: { bytes?: string | null } }) =>
      work(() => {
        const shows = shown(image.bytes)
        if (shows === 'slow') {
          seen.slow++
          throw tooLate()
        }
        if (shows === 'breaking') throw new Problem('internal_error', 'Something broke.')
        if (shows === 'torn') throw Problem.at('#/image/bytes', 'It is torn.', 'unreadable_image')
        const hasFace = shows !== 'nobody'
        const similarityTo = (one: string) => (one === shows ? 100 : one[0] === shows[0] ? 85 : 3)
        return {
          face: hasFace ? face : null,
          hasFace,
          unprocessedFaceCount: shows === 'group' ? 2 : 0,
          quality: hasFace ? { ...exampleQuality, unifiedScore: shows === 'poor' ? 20 : 80 } : null,
          candidates: faces
            .map((one) => ({ ...one, collectionId: 'c', similarity: similarityTo(one.shows), indexedAt: '' }))
            .sort((a, b) => b.similarity - a.similarity),
        }
      }),
    indexFace: (body: {
      image: { bytes?: string | null }
      externalId?: string | null
      qualityGate?: { least: number }
    }) =>
      work(() => {
        const shows = shown(body.image.bytes)
        const found = { face, hasFace: true, unprocessedFaceCount: 0 }
        if (shows === 'poor' && (body.qualityGate?.least ?? 0) > 20)
          return { ...found, faceId: null, refusedBy: ['sharpness' as const] }
        const faceId = `face ${faces.length}`
        faces.push({ faceId, externalId: body.externalId ?? null, shows })
        return { ...found, faceId }
      }),
  }
  return { faces, seen, calls: calls as unknown as Calls }
}

/** A file that was moved after it was chosen. */
function movedAway(): Blob {
  const refused = () => Promise.reject(new DOMException('It is not there.', 'NotFoundError'))
  return Object.assign(new Blob(['moved']), { arrayBuffer: refused })
}

function importOf(
  server: ReturnType<typeof createServer>,
  files: Readonly<Record<string, string>>,
  { gone, ...given }: { naming?: Naming; leastQuality?: number; gone?: string } = {},
) {
  const states: FolderImportState[] = []
  const waits: number[] = []
  const taken = createFolderImport({
    calls: server.calls,
    collectionId: 'c',
    pictures: Object.entries(files).map(([path, content]) => ({
      path,
      file: path === gone ? movedAway() : new Blob([content]),
    })),
    naming: 'none',
    faults: [],
    leastQuality: 0,
    ...given,
    milliseconds: () => performance.now(),
    wait: async (milliseconds) => void waits.push(milliseconds),
    onChange: (state) => states.push(state),
  })
  const rows = () => {
    const [head = [], ...all] = readCsv(taken.report(), true).rows
    return all.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])))
  }
  return { ...taken, states, waits, rows, rowOf: (file: string) => rows().find((row) => row.file === file) }
}

const people = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.jpg`, `person ${i}`]))

describe('a folder that is imported from a browser', () => {
  test('stores each face under its name, and reports why others are not stored', async () => {
    const server = createServer()
    const one = importOf(
      server,
      {
        'a/1.jpg': 'anna',
        'a/2.jpg': 'another of her',
        'b/none.jpg': 'nobody',
        'b/all.jpg': 'group',
        'c/torn.jpg': 'torn',
        'd/poor.jpg': 'poor',
      },
      { naming: 'folder', leastQuality: 50 },
    )
    await one.start()
    expect(server.faces.map(({ externalId }) => externalId)).toEqual(['a', 'a'])
    expect(one.rowOf('b/none.jpg')).toMatchObject({ reason: 'noFace', externalId: 'b' })
    expect(one.rowOf('b/all.jpg')).toMatchObject({ reason: 'severalFaces', detail: '3 faces' })
    expect(one.rowOf('c/torn.jpg')).toMatchObject({ reason: 'unreadable', detail: 'It is torn.' })
    expect(one.rowOf('d/poor.jpg')).toMatchObject({
      reason: 'lowQuality',
      quality: '20',
      detail: 'sharpness',
    })
    expect(one.rowOf('a/1.jpg')).toMatchObject({ reason: '', quality: '80' })
    expect(one.states.at(-1)).toMatchObject({
      done: 6,
      total: 6,
      isDone: true,
      counts: { kept: 2, noFace: 1, severalFaces: 1, unreadable: 1, lowQuality: 1 },
    })
  })

  test('reports a file that is no longer readable, and continues', async () => {
    const server = createServer()
    const one = importOf(server, people(5), { gone: '2.jpg' })
    await one.start()
    expect(one.rowOf('2.jpg')).toMatchObject({
      reason: 'failed',
      detail: expect.stringContaining('NotFound'),
    })
    expect(one.states.at(-1)).toMatchObject({ isDone: true, counts: { kept: 4, failed: 1 } })
  })

  test('makes four calls at a time at most', async () => {
    const server = createServer()
    await importOf(server, people(40)).start()
    expect(server.seen.most).toBe(callsAtOnce)
    expect(server.faces).toHaveLength(40)
  })

  test('stores nothing twice from the same folder, nor from a picture that is in it twice', async () => {
    const server = createServer()
    const files = { ...people(9), 'copy.jpg': 'person 3', 'again.jpg': 'person 3' }
    await importOf(server, files).start()
    expect(server.faces).toHaveLength(9)
    const again = importOf(server, files)
    await again.start()
    expect(server.faces).toHaveLength(9)
    expect(again.states.at(-1)!.counts).toEqual({ alreadyThere: 11 })
    expect(again.rowOf('copy.jpg')!.faceId).toBe(again.rowOf('3.jpg')!.faceId)
  })

  test('stores the same picture for two people if two are named', async () => {
    const server = createServer()
    const naming = new Map([
      ['1.jpg', 'anna'],
      ['2.jpg', 'bert'],
      ['gone.jpg', 'carl'],
    ])
    const one = importOf(server, { '1.jpg': 'same', '2.jpg': 'same', '3.jpg': 'same' }, { naming })
    await one.start()
    expect(server.faces.map(({ externalId }) => externalId).toSorted()).toEqual(['anna', 'bert'])
    expect(one.rowOf('3.jpg')).toMatchObject({ reason: 'notListed' })
    expect(one.rowOf('gone.jpg')).toMatchObject({ reason: 'missing' })
  })

  test('starts nothing while it is paused, and resumes', async () => {
    const server = createServer()
    const one = importOf(server, people(30))
    const working = one.start()
    await new Promise((resolve) => setTimeout(resolve, 8))
    one.pause()
    await new Promise((resolve) => setTimeout(resolve, 20))
    const { calls } = server.seen
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(server.seen.calls).toBe(calls)
    expect(one.states.at(-1)).toMatchObject({ isPaused: true, isDone: false })
    one.resume()
    await working
    expect(server.faces).toHaveLength(30)
  })

  test('stores no face of a picture that was only searched for when it was paused', async () => {
    const server = createServer()
    const one = importOf(server, people(1))
    const working = one.start()
    await vi.waitFor(() => expect(server.seen.calls).toBe(1), { interval: 0 })
    one.pause()
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect([server.seen.calls, server.faces.length]).toEqual([1, 0])
    one.resume()
    await working
    expect(server.faces).toHaveLength(1)
  })

  test('retries only after it is resumed, if the server was busy when it was paused', async () => {
    const server = createServer()
    server.seen.fail.push(new Problem('overloaded', 'Busy.', { retryAfterInSeconds: 3 }))
    const one = importOf(server, people(1))
    const working = one.start()
    await vi.waitFor(() => expect(server.seen.calls).toBe(1), { interval: 0 })
    one.pause()
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(server.seen.calls).toBe(1)
    one.resume()
    await working
    expect(server.faces).toHaveLength(1)
  })

  test('waits the requested time if the server is busy', async () => {
    const server = createServer()
    server.seen.fail.push(new Problem('overloaded', 'Busy.', { retryAfterInSeconds: 3 }))
    const one = importOf(server, people(2))
    await one.start()
    expect(one.waits).toEqual([3000])
    expect(server.faces).toHaveLength(2)
  })

  test.each([
    ['slow', 'no answer within'],
    ['breaking', 'Something broke.'],
  ])(
    'gives up a picture that is %s repeatedly, reports it, and continues by itself',
    async (content, said) => {
      const server = createServer()
      const one = importOf(
        server,
        { ...people(6), 'x/bad.jpg': content, ...people(12) },
        { naming: 'folder' },
      )
      await one.start()
      expect(one.rowOf('x/bad.jpg')).toMatchObject({
        reason: 'failed',
        externalId: 'x',
        faceId: '',
        detail: expect.stringContaining(said),
      })
      expect(one.states.at(-1)).toMatchObject({ isDone: true, counts: { kept: 12, failed: 1 } })
      expect(one.states.filter(({ isPaused }) => isPaused)).toEqual([])
      if (content === 'slow') expect(server.seen.slow).toBe(3)
    },
  )

  test('accepts a picture that succeeds at another try', async () => {
    const server = createServer()
    server.seen.fail.push(tooLate(), tooLate())
    const one = importOf(server, people(1))
    await one.start()
    expect(one.states.at(-1)).toMatchObject({ isDone: true, counts: { kept: 1 } })
  })

  test('does not blame a picture if the server answers no call: it stops, and loses nothing', async () => {
    const server = createServer()
    server.seen.fail.push(...Array.from({ length: 30 }, tooLate))
    const one = importOf(server, people(8))
    const working = one.start()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(one.states.at(-1)).toMatchObject({ done: 0, isPaused: true, problem: { name: 'TimeoutError' } })
    server.seen.fail.splice(0)
    one.resume()
    await working
    expect(one.states.at(-1)).toMatchObject({ isDone: true, counts: { kept: 8 } })
  })

  test('a folder of only such pictures stops once, and is done when it was resumed in vain', async () => {
    const server = createServer()
    const one = importOf(server, { 'a.jpg': 'slow' })
    const working = one.start()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(one.states.at(-1)).toMatchObject({ done: 0, isPaused: true })
    one.resume()
    await working
    expect(one.states.at(-1)).toMatchObject({ isDone: true, counts: { failed: 1 } })
  })

  test('stops if the connection is broken, gives the reason, and loses nothing when it is resumed', async () => {
    const server = createServer()
    server.seen.fail.push(new TypeError('Failed to fetch'))
    const one = importOf(server, people(12))
    const working = one.start()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(one.states.at(-1)).toMatchObject({ isPaused: true, problem: expect.any(TypeError) })
    one.resume()
    await working
    expect(server.faces).toHaveLength(12)
    expect(one.states.at(-1)).toMatchObject({ isDone: true, problem: undefined })
  })
})
