import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseCsv } from '#lab/csv.ts'
import { filesOf, limited, pathOf, readSets, spread } from '#lab/evaluate/data-set.ts'

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-sets-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

describe('a table', () => {
  test('has its fields by the names of its header', () => {
    expect(parseCsv('\uFEFFfile,age\r\na.jpg,3\r\nb.jpg,\r\n')).toEqual([
      { file: 'a.jpg', age: '3' },
      { file: 'b.jpg', age: '' },
    ])
  })

  test('may have commas, quotes and line breaks within quotes', () => {
    expect(parseCsv('file,note\na.jpg,"one, ""two""\nthree"\n')).toEqual([
      { file: 'a.jpg', note: 'one, "two"\nthree' },
    ])
  })

  test('without rows is empty', () => {
    expect(parseCsv('')).toEqual([])
    expect(parseCsv('file,age\n')).toEqual([])
  })

  test('with an unclosed quote is refused', () => {
    expect(() => parseCsv('file\n"a')).toThrow('quote')
  })
})

describe('sets of pictures', () => {
  const labels = `file,identity\n${Array.from({ length: 10 }, (_, i) => `${i}.jpg,${i % 5}`).join('\n')}\n`

  test('are the folders with labels', () => {
    const folder = folderOf({ 'b/labels.csv': labels, 'a/labels.csv': labels, 'notes/readme.txt': '' })
    const sets = readSets(folder)
    expect(sets.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(filesOf(sets[0]!)).toHaveLength(10)
    expect(pathOf(sets[0]!, '1.jpg')).toBe(join(folder, 'a', '1.jpg'))
  })

  test('may be the folder itself', () => {
    expect(readSets(folderOf({ 'labels.csv': labels }))).toHaveLength(1)
  })

  test('are reported if they do not exist', () => {
    expect(() => readSets('/nowhere/at/all')).toThrow('no folder')
    expect(() => readSets(folderOf({ 'readme.txt': '' }))).toThrow('no set')
  })

  test('have their pairs and their other tables', () => {
    const [set] = readSets(
      folderOf({
        'labels.csv': labels,
        'pairs.csv': 'fold,a,b,same\n1,0.jpg,5.jpg,1\n2,1.jpg,2.jpg,0\n',
        'segments.csv': 'file,action\n0.jpg,smile\n',
      }),
    )
    expect(set!.pairs).toEqual([
      { fold: '1', a: '0.jpg', b: '5.jpg', same: true },
      { fold: '2', a: '1.jpg', b: '2.jpg', same: false },
    ])
    expect(set!.tables.segments).toEqual([{ file: '0.jpg', action: 'smile' }])
  })

  test('are limited to some files, spread over them, with whole pairs', () => {
    const [set] = readSets(
      folderOf({ 'labels.csv': labels, 'pairs.csv': 'fold,a,b,same\n1,0.jpg,9.jpg,0\n' }),
    )
    expect(filesOf(limited(set!, 10))).toHaveLength(10)
    const four = limited(set!, 4)
    expect(filesOf(four)).toHaveLength(4)
    expect(four.pairs).toHaveLength(1)
    expect(filesOf(limited(set!, 1))).toHaveLength(1)
    expect(limited(set!, 1).pairs).toEqual([])
    expect(spread([1, 2, 3, 4, 5, 6], 3)).toEqual([1, 3, 5])
  })
})
