import { readFile, stat, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'
import { deployTwo, passphrase, people } from '../../../../support/programs/deployments.ts'
import { rememberPassphrases } from '../../../../support/sealed-files/remembered-passphrases.ts'

rememberPassphrases()

describe('a file of exported faces', () => {
  let deployed: Awaited<ReturnType<typeof deployTwo>>
  let from: typeof deployed.from
  let to: typeof deployed.to
  let file: string
  beforeAll(async () => {
    deployed = await deployTwo('lmdb')
    from = deployed.from
    to = deployed.to
    await from.fill('words', [1, 2])
    file = await deployed.exported('words')
  })
  afterAll(() => deployed?.end())

  test('is written for its owner only, without any clear text', async () => {
    await from.fill('clear', [4000])
    const file = await deployed.exported('clear')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const content = await readFile(file)
    // The form, and how much a guess costs: N is 2 to the power of 17, r is 8, p is 1.
    expect(content.subarray(8, 12)).toEqual(Buffer.of(1, 17, 8, 1))
    for (const trace of ['person-4000', 'fr-feature', 'clear', passphrase])
      expect(content.includes(trace)).toBe(false)
    expect(content.includes(Buffer.from(randomEmbedding(4000).buffer).subarray(0, 16))).toBe(false)
  })

  describe('a file that differs from the written one', () => {
    let whole: Buffer
    beforeAll(async () => {
      await from.fill('damaged', people(650, 6000))
      whole = await readFile(await deployed.exported('damaged'))
    })

    /** The header, then each chunk with its length. */
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
      ['cut within a chunk', () => whole.subarray(0, -100), /truncated/],
      ['cut between chunks', () => Buffer.concat(parts().slice(0, -1)), /truncated/],
      ['cut after its beginning', () => whole.subarray(0, 44), /truncated/],
      [
        'with two chunks exchanged',
        () => Buffer.concat([0, 1, 3, 2, 4, 5, 6].map((i) => parts()[i]!)),
        /out of order/,
      ],
      ['without one in the midst', () => Buffer.concat(parts().filter((_, i) => i !== 3)), /out of order/],
      [
        'with a chunk twice',
        () => Buffer.concat([0, 1, 2, 2, 3, 4, 5, 6].map((i) => parts()[i]!)),
        /out of order/,
      ],
      [
        'with something after its end',
        () => Buffer.concat([whole, Buffer.of(0)]),
        /there are bytes after its end/,
      ],
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
        /format 2/,
      ],
      [
        'of something else',
        () => Buffer.from('%PDF-1.7 and so on, for some more bytes than that'),
        /not a sealed file of Selfsame/,
      ],
      ['empty', () => Buffer.alloc(0), /not a sealed file of Selfsame/],
    ])('%s is refused, and nothing of it arrives', async (_name, bytes, words) => {
      expect(parts()).toHaveLength(7)
      const damaged = deployed.newFile()
      await writeFile(damaged, bytes())
      const { code, errors } = await to.run('import', damaged)
      expect([code, errors]).toEqual([1, expect.stringMatching(words)])
      expect(await to.access.find(to.accountId, 'damaged')).toBeUndefined()
    })
  })

  test.each<[string, () => string[], string[], number, RegExp]>([
    ['a wrong passphrase', () => ['import', file], ['another passphrase'], 1, /passphrase is wrong/],
    [
      'a short passphrase',
      () => ['export', 'words', '--out', deployed.newFile()],
      ['eleven char', 'eleven char'],
      2,
      /12 characters/,
    ],
    [
      'two that differ',
      () => ['export', 'words', '--out', deployed.newFile()],
      [passphrase, `${passphrase}!`],
      2,
      /differ/,
    ],
    [
      'a file that is there',
      () => ['export', 'words', '--out', file],
      [passphrase, passphrase],
      1,
      /Files are never overwritten/,
    ],
    ['no file', () => ['import', deployed.newFile()], [passphrase], 1, /no file at/],
    ['no --out', () => ['export', 'words'], [], 2, /--out FILE is missing/],
    [
      'no collection',
      () => ['export', 'nowhere', '--out', deployed.newFile()],
      [passphrase, passphrase],
      1,
      /collection does not exist/,
    ],
    [
      'a passphrase file that is not there',
      () => ['import', file, '--passphrase-file', deployed.newFile()],
      [],
      2,
      /cannot be read/,
    ],
    [
      'a passphrase as an option',
      () => ['import', file, '--passphrase', passphrase],
      [],
      2,
      /Unknown option/,
    ],
  ])('reports %s, and changes nothing', async (_name, words, answers, expected, complaint) => {
    const before = await readFile(file)
    const { code, errors, told } = await from.answer(answers, ...words())
    expect([code, errors, told]).toEqual([expected, expect.stringMatching(complaint), ''])
    expect(errors).not.toContain(passphrase)
    expect(await from.faces('words')).toHaveLength(2)
    expect(await readFile(file)).toEqual(before)
  })

  test('takes the passphrase from the first line of a file', async () => {
    await from.fill('by file', [1])
    const [file, words] = [deployed.newFile(), deployed.newFile()]
    await writeFile(words, `${passphrase}\nand more\n`)
    expect(
      await from.answer([], 'export', 'by file', '--out', file, '--passphrase-file', words),
    ).toMatchObject({ code: 0 })
    expect(await to.run('import', file)).toMatchObject({ code: 0 })
  })
})
