import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { createPrecedence } from '#server/features/recognition/collections/precedence.ts'
import { refuseOtherModel } from '#server/features/recognition/collections/refuse-other-model.ts'
import { some } from '../../../../../e2e/support/length.ts'
import { bundledProgram } from '../../../../support/bundled/bundled-program.ts'
import { accountId, visitCollections } from '../../../../support/collection-visitor.ts'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'
import { describeOnSharedStores } from '../../../../support/stores.ts'
import { watchStore } from '../../../../support/watched-store.ts'

let collections = 0
const newId = () => `collection ${++collections}`
const people = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

type Visitor = ReturnType<typeof visitCollections>

let program: readonly string[]
beforeAll(async () => {
  program = await bundledProgram('tests/support/programs/collection.process.ts')
})

describeOnSharedStores('a collection shared by several processes', (shared) => {
  const { open } = shared
  let one: Visitor
  let other: Visitor
  let otherWatched: ReturnType<typeof watchStore>['watched']
  beforeAll(async () => {
    one = visitCollections(await open())
    const { store, watched } = watchStore(await open())
    other = visitCollections(store)
    otherWatched = watched
  })

  /** The faces that the other process finds, and how often it read all faces to find them. */
  async function findsWithout(id: string, person: number) {
    const before = otherWatched.lists
    const found = await other.find(id, person)
    return { found, readAnew: otherWatched.lists - before }
  }

  test("shows another process's additions and removals in the next request, and reads no face twice for it", async () => {
    const id = newId()
    const faceIds = await one.addSeveral(id, people(0, 50))
    expect(await findsWithout(id, 7)).toEqual({ found: faceIds[7], readAnew: 1 })
    const added = await one.add(id, 50)
    expect(await findsWithout(id, 50)).toEqual({ found: added, readAnew: 0 })
    await one.remove(id, [added, faceIds[3]!])
    expect(await findsWithout(id, 50)).toEqual({ found: undefined, readAnew: 0 })
    expect(await findsWithout(id, 3)).toEqual({ found: undefined, readAnew: 0 })
    const many = await one.addSeveral(id, people(100, 300))
    for (const person of people(60, 30)) await one.add(id, person)
    expect(await findsWithout(id, 399)).toEqual({ found: many[299], readAnew: 0 })
    expect(await other.count(id)).toEqual({ size: 379, comparableCount: 379 })
  })

  test('shows a reset in steps, and later additions', async () => {
    const id = newId()
    await one.addSeveral(id, people(0, 60))
    await other.find(id, 1)
    expect(await one.reset(id, 25)).toBe(25)
    expect(await other.count(id)).toMatchObject({ size: 35 })
    expect(await one.reset(id, 100)).toBe(35)
    const again = await one.add(id, 1)
    expect(await findsWithout(id, 1)).toEqual({ found: again, readAnew: 0 })
    expect(await other.count(id)).toMatchObject({ size: 1 })
  })

  const resets = [
    [501, 501, 499],
    [1001, 1000, 0],
    [499, 499, 501],
    [500, 500, 500],
    [1000, 1000, 0],
  ] as const
  test.each(some(resets, 2))('resets at most %i of 1,000: %i', async (entryLimit, deleted, left) => {
    const id = newId()
    await one.addSeveral(id, people(0, 1000))
    expect(await other.reset(id, entryLimit)).toBe(deleted)
    expect(await one.count(id)).toMatchObject({ size: left })
  })

  test('never finds a person again who was deleted elsewhere, however many faces they had', async () => {
    const [id, second] = [newId(), newId()]
    const person = `person of ${id}`
    await one.addSeveral(id, people(0, 1201), person)
    await one.add(second, 5, person)
    const kept = await one.add(second, 6, 'somebody else')
    expect(await other.find(id, 1200)).toBeDefined()
    expect(await other.find(second, 5)).toBeDefined()
    expect(await one.forget(person)).toBe(1202)
    expect(await findsWithout(id, 1200)).toEqual({ found: undefined, readAnew: 0 })
    expect(await findsWithout(second, 5)).toEqual({ found: undefined, readAnew: 0 })
    expect(await other.find(second, 6)).toBe(kept)
    const anew = await other.searchOrIndex(second, 5)
    expect(await one.find(second, 5)).toBe(anew)
    expect(await one.forget(person)).toBe(0)
  })

  test('of another model is refused with the names of both, until it is emptied', async () => {
    const id = newId()
    const faceIds = await one.access.change(accountId, id, async (_, writer) => {
      const others = people(0, 3).map((person) => ({
        embedding: randomEmbedding(person),
        embeddingModel: 'fr-feature',
        externalId: `former ${person}`,
      }))
      const added = writer.addSeveral(others)
      return { answer: added.faceIds, change: added }
    })
    const use = () =>
      other.access.use(accountId, id, async (collection) => refuseOtherModel(collection, '#/x'))
    await expect(use()).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [
        { pointer: '#/x', message: expect.stringContaining('model fr-feature, which cannot be compared') },
      ],
    })
    expect(await other.count(id)).toEqual({ size: 3, comparableCount: 0 })
    expect(await other.forget('former 0')).toBe(1)
    expect(await other.remove(id, faceIds.slice(1, 2))).toBe(1)
    await expect(use()).rejects.toThrow()
    expect(await other.reset(id, 50)).toBe(1)
    await use()
    const added = await other.add(id, 1)
    expect(await one.find(id, 1)).toBe(added)
  })

  test('has nothing of its predecessor with the same id', async () => {
    const id = newId()
    await one.add(id, 1)
    expect(await other.find(id, 1)).toBeDefined()
    await one.erase(id)
    expect(await findsWithout(id, 1)).toMatchObject({ found: undefined })
    const anew = await one.add(id, 2)
    expect(await other.find(id, 1)).toBeUndefined()
    expect(await other.find(id, 2)).toBe(anew)
  })

  test('loses no change while the faces are read for the first time', async () => {
    const id = newId()
    const faceIds = await one.addSeveral(id, people(0, 250))
    let added = ''
    otherWatched.duringList = async () => {
      otherWatched.duringList = async () => {}
      await one.remove(id, faceIds)
      added = await one.add(id, 999)
    }
    await other.find(id, 1)
    expect(await other.count(id)).toEqual({ size: 1, comparableCount: 1 })
    expect(await findsWithout(id, 999)).toEqual({ found: added, readAnew: 0 })
  })

  test('is read once when several requests need it at once', async () => {
    const id = newId()
    const faceIds = await one.addSeveral(id, people(0, 30))
    const before = otherWatched.lists
    const found = await Promise.all(people(0, 30).map((person) => other.find(id, person)))
    expect(found).toEqual(faceIds)
    expect(otherWatched.lists - before).toBe(1)
  })

  test('lets others be queried while it is read', async () => {
    const [id, quick] = [newId(), newId()]
    await one.add(id, 1)
    const faceId = await one.add(quick, 2)
    let done = () => {}
    let begun = () => {}
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    otherWatched.duringList = () => {
      otherWatched.duringList = async () => {}
      begun()
      return new Promise<void>((resolve) => {
        done = resolve
      })
    }
    const reading = other.find(id, 1)
    await isBegun
    expect(await other.find(quick, 2)).toBe(faceId)
    done()
    expect(await reading).toBeDefined()
  })

  test('is read again when the missed changes are no longer available', async () => {
    const id = newId()
    let ahead = 0
    const later = visitCollections(await open(() => Date.now() + ahead))
    await one.add(id, 1)
    await later.find(id, 1)
    const added = await one.add(id, 2)
    ahead = 3_599_000
    expect(await later.find(id, 2)).toBe(added)
    const second = await one.add(id, 3)
    const third = await one.add(id, 4)
    ahead = 3_601_000
    expect(await later.find(id, 3)).toBe(second)
    expect(await later.find(id, 4)).toBe(third)
    expect(await later.count(id)).toMatchObject({ size: 4 })
  })

  test('stores each new face once when 3 processes get 30 requests at once, and answers every one', async () => {
    const id = newId()
    await one.addSeveral(id, people(1000, 20))
    const answers = await Promise.all(await startProcesses(shared.place(), id))
    const asked = answers.flatMap(({ faceIds }) => faceIds)
    expect(asked).toHaveLength(90)
    for (const [person, faceId] of asked) expect(await one.find(id, person)).toBe(faceId)
    expect(await one.count(id)).toMatchObject({ size: 20 + 60 })
    expect(answers.flatMap(({ attempts }) => attempts)).toHaveLength(90)
  })

  test('is not blocked for long by a process that died while it held the lock', async () => {
    const id = newId()
    await createPrecedence(await open()).claim(accountId, id)
    const faceId = await one.add(id, 1)
    expect(await other.find(id, 1)).toBe(faceId)
  })

  test('lets a slow process have its turn between faster ones', async () => {
    const id = newId()
    const processes = [one, other, visitCollections(await open())]
    for (const { attempts } of processes) attempts.length = 0
    await Promise.all(
      processes.flatMap((process, at) =>
        people(0, 30).map((i) => process.searchOrIndex(id, at * 100 + i, () => pause(5 + 40 * at))),
      ),
    )
    expect(await one.count(id)).toMatchObject({ size: 90 })
    expect(Math.max(...processes.flatMap(({ attempts }) => attempts))).toBeLessThanOrEqual(10)
  })
})

interface Answer {
  readonly faceIds: [person: number, faceId: string][]
  readonly attempts: number[]
}

/** Three processes that start together and request a total of 60 people. Each one reports when its requests have been answered. */
async function startProcesses(place: string, collectionId: string): Promise<Promise<Answer>[]> {
  const started = [0, 15, 30].map((first) => {
    const words = [place, collectionId, `${first}`]
    const child = spawn(process.execPath, [...program, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  })
  for (const { lines } of started) expect((await lines.next()).value).toBe('ready')
  return started.map(async ({ child, lines }) => {
    child.stdin.end('go')
    return JSON.parse((await lines.next()).value) as Answer
  })
}
