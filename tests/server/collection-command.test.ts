import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountProgram, collectionProgram, type Program } from '#server/command/programs.ts'
import { runCommand } from '#server/command/run.ts'
import { createCollectionAccess } from '#server/recognition/collection-access.ts'
import type { KeptFace } from '#server/recognition/face-store.ts'
import { openKeyRing } from '#server/security/open-key-ring.ts'
import { readSettings } from '#server/settings.ts'
import { openStore } from '#server/store/open-store.ts'
import type { Store } from '#server/store/store.ts'
import { randomEmbedding } from '../support/random-face.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from '../support/redis-server.ts'

const passphrase = 'a passphrase of some length'
const people = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)

type Environment = Record<string, string>

/** A deployment with one account, beside which the command works as beside a running server. */
async function deploy(env: Environment) {
  const settings = () => readSettings(env)
  async function run(program: Program, words: readonly string[], answers: readonly string[] = []) {
    const left = [...answers]
    const told: string[] = []
    const complained: string[] = []
    const code = await runCommand(program, words, settings, {
      tell: (text) => told.push(text),
      complain: (text) => complained.push(text),
      ask: async () => left.shift() ?? '',
    })
    return { code, told: told.join('\n'), complained: complained.join('\n') }
  }
  const made = await run(accountProgram, ['create', 'Shop', '--json'])
  const { accountId } = JSON.parse(made.told) as { accountId: string }
  const { store } = await openStore(settings(), () => undefined)
  const { keyRing } = await openKeyRing(store, settings())
  const access = createCollectionAccess(store, keyRing, Date.now)
  return {
    store: store as Store,
    access,
    accountId,
    run: (...words: string[]) => run(collectionProgram, words, [passphrase, passphrase]),
    answer: (answers: readonly string[], ...words: string[]) => run(collectionProgram, words, answers),
    audit: async () => {
      const { told } = await run(accountProgram, ['audit', '--json'])
      return JSON.parse(told).entries as {
        operation: string
        resources: object
        outcome: string
        actor: object
      }[]
    },
    fill: (collectionId: string, seeds: readonly number[], embeddingModel = 'fr-feature/2') =>
      access.change(accountId, collectionId, async (collection) => {
        const change = collection.addSeveral(
          seeds.map((seed) => ({
            embedding: randomEmbedding(seed),
            embeddingModel,
            externalId: seed % 2 === 0 ? `person-${seed}` : null,
          })),
        )
        return { answer: change.faceIds, change }
      }),
    async faces(collectionId: string): Promise<KeptFace[]> {
      const found: KeptFace[] = []
      const opened = await access.use(accountId, collectionId, async (collection) => collection)
      for await (const face of opened.list()) found.push(face)
      return found.sort((a, b) => a.faceId.localeCompare(b.faceId))
    },
    find: (collectionId: string, seed: number) =>
      access.use(accountId, collectionId, async (collection) => {
        const hit = await (await collection.faces()).closest(randomEmbedding(seed), 80)
        return hit?.face.faceId
      }),
    forget: (collectionId: string, faceIds: readonly string[]) =>
      access.change(accountId, collectionId, async (collection) => ({
        answer: undefined,
        change: await collection.remove(faceIds),
      })),
  }
}

type Deployment = Awaited<ReturnType<typeof deploy>>

const secret = 'a secret of thirty-two characters'
const stores = [
  { name: 'LMDB', env: {}, skip: false },
  { name: `Redis${needsRedisServer}`, env: undefined, skip: !hasRedisServer },
]

describe.each(stores)('npm run collection, on $name', ({ env, skip }) => {
  if (skip) return test.skip('needs redis-server', () => {})
  let folder: string
  let from: Deployment
  let to: Deployment
  let end = async () => {}
  let files = 0
  const newFile = () => join(folder, `faces-${++files}`)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selfsame-collection-'))
    const servers = env === undefined ? [await startRedisServer(), await startRedisServer()] : []
    const [first, second] = [0, 1].map((i) => ({
      DATA_DIR: join(folder, `data-${i}`),
      SECRET: secret + i,
      ...(servers[i] && { STORE: servers[i].address }),
    }))
    from = await deploy(first as Environment)
    to = await deploy(second as Environment)
    end = async () => {
      await from.store.close()
      await to.store.close()
      for (const server of servers) await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
  afterAll(() => end())

  async function exported(collectionId: string): Promise<string> {
    const file = newFile()
    expect(await from.run('export', collectionId, '--out', file)).toMatchObject({ code: 0, complained: '' })
    return file
  }

  test('carries a collection to another deployment as it is, and finds it there', async () => {
    await from.fill('members', people(450))
    const file = newFile()
    const written = await from.run('export', 'members', '--out', file)
    expect(written.told).toContain(`Faces written to ${file}: 450`)
    const read = await to.run('import', file)
    expect(read.told).toBe('Collection: members (new)\nFaces added: 450\nFaces that were there already: 0')
    expect(await to.faces('members')).toEqual(await from.faces('members'))
    expect(await to.find('members', 449)).toBe(await from.find('members', 449))
    const pointers = to.access.faceStore.ofExternalId(to.accountId, 'person-448')
    for await (const { faceId } of pointers) expect(faceId).toBe(await from.find('members', 448))
    expect((await to.run('list')).told).toBe('members  (faces: 450 of fr-feature/2)')
  })

  test('adds to a collection what is missing there, and says how much was not', async () => {
    const faceIds = await from.fill('staff', people(300, 1000))
    const file = await exported('staff')
    await from.forget('staff', faceIds.slice(0, 120))
    const added = await from.fill('staff', [5000])
    expect((await from.run('import', file)).told).toBe(
      'Collection: staff\nFaces added: 120\nFaces that were there already: 180',
    )
    expect((await from.run('import', file)).told).toContain(
      'Faces added: 0\nFaces that were there already: 300',
    )
    expect((await from.faces('staff')).map(({ faceId }) => faceId)).toEqual([...faceIds, ...added].sort())
    expect((await to.run('import', file, '--collection', 'colleagues')).told).toContain(
      'Collection: colleagues (new)',
    )
    expect(await to.faces('colleagues')).toHaveLength(300)
  })

  test('finishes what was interrupted when it is repeated, and a process that searches sees it at once', async () => {
    await from.fill('interrupted', people(450, 2000))
    const file = await exported('interrupted')
    const whole = await to.run('import', file, '--collection', 'again')
    const ids = (await to.faces('again')).map(({ faceId }) => faceId)
    await to.forget('again', ids.slice(200))
    expect(await to.find('again', 2449)).toBeOneOf([undefined, expect.any(String)])
    expect((await to.run('import', file, '--collection', 'again')).told).toContain('Faces added: 250')
    expect(whole.code).toBe(0)
    expect(await to.find('again', 2449)).toBe(await from.find('interrupted', 2449))
  })

  test('carries an empty collection, and one of another model, which is told and never mixed', async () => {
    await from.access.change(from.accountId, 'empty', async (collection) => ({
      answer: undefined,
      change: collection.describe('Nobody yet'),
    }))
    expect((await to.run('import', await exported('empty'))).told).toContain('Faces added: 0')
    expect((await to.access.find(to.accountId, 'empty'))?.description).toBe('Nobody yet')
    await from.fill('old', people(3, 3000), 'xx-feature')
    const file = await exported('old')
    expect((await to.run('import', file)).code).toBe(0)
    expect((await to.run('list')).told).toContain('old  (faces: 3 of xx-feature)')
    const mixed = await to.run('import', file, '--collection', 'members')
    expect(mixed).toMatchObject({
      code: 1,
      complained: expect.stringContaining('xx-feature, those of the collection of fr-feature/2'),
    })
  })

  test('writes a file for its owner alone, in which nothing stands in the clear', async () => {
    await from.fill('clear', [4000])
    const file = await exported('clear')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const content = await readFile(file)
    for (const trace of ['person-4000', 'fr-feature', 'clear', passphrase])
      expect(content.includes(trace)).toBe(false)
    expect(content.includes(Buffer.from(randomEmbedding(4000).buffer).subarray(0, 16))).toBe(false)
  })

  test('records both in the audit log, also what was refused', async () => {
    await from.fill('recorded', [1])
    const file = await exported('recorded')
    await from.answer(['not the passphrase'], 'import', file, '--collection', 'recorded')
    await from.run('import', file, '--collection', 'recorded')
    await from.run('export', 'never there', '--out', newFile())
    const entries = (await from.audit()).slice(0, 4).reverse()
    expect(entries).toMatchObject([
      { operation: 'exportCollection', resources: { collectionId: 'recorded' }, outcome: 'succeeded' },
      { operation: 'importCollection', resources: { collectionId: 'recorded' }, outcome: 'invalid_request' },
      { operation: 'importCollection', resources: { collectionId: 'recorded' }, outcome: 'succeeded' },
      { operation: 'exportCollection', resources: { collectionId: 'never there' }, outcome: 'not_found' },
    ])
    for (const { actor } of entries)
      expect(actor).toEqual({ kind: 'commandLine', keyId: null, tokenId: null })
  })

  describe('a file that is not what was written', () => {
    let whole: Buffer
    beforeAll(async () => {
      await from.fill('damaged', people(650, 6000))
      whole = await readFile(await exported('damaged'))
    })

    /** Header, then each chunk with its length. */
    function parts(): Buffer[] {
      const found = [whole.subarray(0, 44)]
      for (let start = 44; start < whole.length; ) {
        const end = start + 4 + whole.readUInt32BE(start)
        found.push(whole.subarray(start, end))
        start = end
      }
      return found
    }

    const flipped = (at: number) => {
      const bytes = Buffer.from(whole)
      bytes[at < 0 ? bytes.length + at : at]! ^= 1
      return bytes
    }

    test.each<[string, () => Buffer, RegExp]>([
      ['cut within a chunk', () => whole.subarray(0, -100), /cut off/],
      ['cut between chunks', () => Buffer.concat(parts().slice(0, -1)), /cut off/],
      ['cut after its beginning', () => whole.subarray(0, 44), /cut off/],
      [
        'with two chunks exchanged',
        () => Buffer.concat([0, 1, 3, 2, 4, 5, 6].map((i) => parts()[i]!)),
        /not in their order/,
      ],
      [
        'without one in the midst',
        () => Buffer.concat(parts().filter((_, i) => i !== 3)),
        /not in their order/,
      ],
      [
        'with a chunk twice',
        () => Buffer.concat([0, 1, 2, 2, 3, 4, 5, 6].map((i) => parts()[i]!)),
        /not in their order/,
      ],
      ['with something after its end', () => Buffer.concat([whole, Buffer.of(0)]), /goes on after its end/],
      ['with one bit changed in a face', () => flipped(90_000), /altered/],
      ['with one bit changed at its end', () => flipped(-1), /altered/],
      ['with another salt', () => flipped(14), /passphrase is wrong/],
      [
        'that asks for all memory',
        () => Buffer.concat([whole.subarray(0, 9), Buffer.of(31), whole.subarray(10)]),
        /too much memory/,
      ],
      [
        'of a later form',
        () => Buffer.concat([whole.subarray(0, 8), Buffer.of(2), whole.subarray(9)]),
        /form 2/,
      ],
      [
        'of something else',
        () => Buffer.from('%PDF-1.7 and so on, for some more bytes than that'),
        /no file of exported faces/,
      ],
      ['empty', () => Buffer.alloc(0), /no file of exported faces/],
    ])('%s is refused, and nothing of it arrives', async (_name, bytes, words) => {
      expect(parts()).toHaveLength(7)
      const file = newFile()
      await writeFile(file, bytes())
      const { code, complained } = await to.run('import', file)
      expect([code, complained]).toEqual([1, expect.stringMatching(words)])
      expect(await to.access.find(to.accountId, 'damaged')).toBeUndefined()
    })
  })

  test.each<[string, (file: string) => string[], string[], number, RegExp]>([
    ['a wrong passphrase', (file) => ['import', file], ['another passphrase'], 1, /passphrase is wrong/],
    [
      'a short passphrase',
      () => ['export', 'words', '--out', newFile()],
      ['eleven char', 'eleven char'],
      2,
      /12 characters/,
    ],
    [
      'two that differ',
      () => ['export', 'words', '--out', newFile()],
      [passphrase, `${passphrase}!`],
      2,
      /differ/,
    ],
    [
      'a file that is there',
      (file) => ['export', 'words', '--out', file],
      [passphrase, passphrase],
      1,
      /nothing is overwritten/,
    ],
    ['no file', () => ['import', newFile()], [passphrase], 1, /no file at/],
    ['no --out', () => ['export', 'words'], [], 2, /--out FILE is missing/],
    [
      'no collection',
      () => ['export', 'nowhere', '--out', newFile()],
      [passphrase, passphrase],
      1,
      /no such collection/,
    ],
    [
      'a passphrase file that is not there',
      (file) => ['import', file, '--passphrase-file', newFile()],
      [],
      2,
      /cannot be read/,
    ],
    [
      'a passphrase as an option',
      (file) => ['import', file, '--passphrase', passphrase],
      [],
      2,
      /Unknown option/,
    ],
  ])('tells of %s, and changes nothing', async (_name, words, answers, expected, complaint) => {
    if ((await from.access.find(from.accountId, 'words')) === undefined) await from.fill('words', [1, 2])
    const file = await exported('words')
    const { code, complained, told } = await from.answer(answers, ...words(file))
    expect([code, complained, told]).toEqual([expected, expect.stringMatching(complaint), ''])
    expect(complained).not.toContain(passphrase)
    expect(await from.faces('words')).toHaveLength(2)
    expect(await readFile(file)).toHaveLength((await stat(file)).size)
  })

  test('takes the passphrase from the first line of a file', async () => {
    await from.fill('by file', [1])
    const [file, words] = [newFile(), newFile()]
    await writeFile(words, `${passphrase}\nand more\n`)
    expect(
      await from.answer([], 'export', 'by file', '--out', file, '--passphrase-file', words),
    ).toMatchObject({ code: 0 })
    expect(await to.run('import', file)).toMatchObject({ code: 0 })
  })
})
