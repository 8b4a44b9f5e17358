import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from '#shared/picture-import/csv.ts'
import { isLong } from '../../../../../e2e/support/length.ts'
import { bundledProgram } from '../../../../support/bundled/bundled-program.ts'
import { fakeJpeg, type Scene } from '../../../../support/drawn/fake-picture.ts'
import { deploy } from '../../../../support/programs/deployments.ts'

let program: readonly string[]

let root: string
let env: Record<string, string>
let deployed: Awaited<ReturnType<typeof deploy>>
beforeAll(async () => {
  program = await bundledProgram('tests/support/programs/import-pictures.process.ts')
  root = await mkdtemp(join(tmpdir(), 'selfsame-pictures-'))
  env = { DATA_DIR: join(root, 'data'), SECRET: 'a secret of thirty-two characters' }
  deployed = await deploy(env)
})
afterAll(async () => {
  await deployed?.close()
  await rm(root, { recursive: true, force: true })
})

let folders = 0
/** A folder that contains these files. A scene becomes a drawn picture. */
async function folderOf(files: Readonly<Record<string, Scene | string | Uint8Array>>): Promise<string> {
  const folder = join(root, `folder-${++folders}`)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const isScene = typeof content === 'object' && !(content instanceof Uint8Array)
    await writeFile(join(folder, path), isScene ? fakeJpeg(content) : content)
  }
  return folder
}

function start(folder: string, collectionId: string, ...more: string[]) {
  const words = [
    'import-pictures',
    folder,
    '--collection',
    collectionId,
    '--report',
    `${folder}.csv`,
    ...more,
  ]
  const child = spawn(process.execPath, [...program, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [told, errors]: string[][] = [[], []]
  child.stdout.on('data', (chunk) => told!.push(String(chunk)))
  child.stderr.on('data', (chunk) => errors!.push(String(chunk)))
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    told: told!.join(''),
    errors: errors!.join(''),
  }))
  return { child, ended }
}

const run = (...words: Parameters<typeof start>) => start(...words).ended

/** A report's rows by file, with their cells by column name. */
async function report(path: string) {
  const [head = [], ...rows] = readCsv(await readFile(path, 'utf8'), true).rows
  const named = rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])))
  return { rows: named, of: (file: string) => named.find((row) => row.file === file) }
}

describe('npm run collection -- import-pictures', () => {
  test('stores each face, reports skipped files, and stops at none', async () => {
    const folder = await folderOf({
      'anna/1.jpg': { person: 'anna' },
      'anna/2.jpg': { person: 'anna', shot: 2, frameQuality: 0.2 },
      'bert/1.jpg': { person: 'bert' },
      'bert/none.jpg': { person: null },
      'bert/group.jpg': { person: 'bert', others: 2 },
      'carl/torn.jpg': fakeJpeg({ person: 'carl' }).subarray(0, 30),
      'carl/notes.txt': 'not a picture',
      'carl/empty.jpg': '',
      'dora/poor.jpg': { person: 'dora', frameQuality: 0.02, sharpness: 3 },
      '.hidden/1.jpg': { person: 'eve' },
    })
    const { code, told, errors } = await run(
      folder,
      'all',
      '--external-id',
      'folder',
      '--least-quality',
      '50',
    )
    expect({ code, told }).toMatchObject({ code: 0 })
    expect(told).toContain('kept: 3\n')
    expect(errors).toMatch(/9 of 9 \(100 %\), [\d.]+ a second, 0 s left/)
    const { rows, of } = await report(`${folder}.csv`)
    expect(rows).toHaveLength(9)
    expect(of('anna/1.jpg')).toMatchObject({ externalId: 'anna', reason: '', quality: '100' })
    expect(of('bert/none.jpg')).toMatchObject({ reason: 'noFace', faceId: '', externalId: 'bert' })
    expect(of('bert/group.jpg')).toMatchObject({ reason: 'severalFaces', detail: '3 faces' })
    for (const file of ['carl/torn.jpg', 'carl/notes.txt', 'carl/empty.jpg'])
      expect(of(file)).toMatchObject({ reason: 'unreadable', faceId: '' })
    expect(of('dora/poor.jpg')).toMatchObject({ reason: 'lowQuality', quality: '27' })
    expect(of('dora/poor.jpg')!.detail).toContain('sharpness')
    const annas = [of('anna/1.jpg')!, of('anna/2.jpg')!]
    expect(annas.map(({ nearestSimilarity }) => nearestSimilarity)).toContain('100.00')
    const faces = await deployed.faces('all')
    expect(faces.map(({ externalId }) => externalId).toSorted()).toEqual(['anna', 'anna', 'bert'])
    expect(faces.map(({ faceId }) => faceId)).toEqual(
      [...annas, of('bert/1.jpg')!].map(({ faceId }) => faceId!).toSorted(),
    )
    expect((await deployed.audit())[0]).toMatchObject({ operation: 'importPictures', outcome: 'succeeded' })
  })

  if (isLong)
    test('stores nothing twice from the same folder, nor from a picture that is in it twice', async () => {
      const same = fakeJpeg({ person: 'anna' })
      const folder = await folderOf({ 'a.jpg': same, 'b/copy.jpg': same, 'c.jpg': { person: 'bert' } })
      expect((await run(folder, 'twice')).told).toContain('kept: 2\n')
      const faces = await deployed.faces('twice')
      expect(faces).toHaveLength(2)
      const again = await run(folder, 'twice')
      expect(again.told).toContain('alreadyThere: 3\n')
      expect(await deployed.faces('twice')).toEqual(faces)
    })

  test('follows a table, and reports differences between it and the folder', async () => {
    const folder = await folderOf({
      'a.jpg': { person: 'anna' },
      'b.jpg': { person: 'bert' },
      'c.jpg': { person: 'carl' },
    })
    const table = `${folder}-names.csv`
    await writeFile(table, 'file,externalId\na.jpg,user-1\nb.jpg,"bad\u0007"\ngone.jpg,user-3\ntorn\n')
    expect((await run(folder, 'table', '--external-id', table)).code).toBe(0)
    const { of } = await report(`${folder}.csv`)
    expect(of('a.jpg')).toMatchObject({ externalId: 'user-1', reason: '' })
    expect(of('b.jpg')).toMatchObject({ reason: 'badExternalId' })
    expect(of('c.jpg')).toMatchObject({ reason: 'notListed' })
    expect(of('gone.jpg')).toMatchObject({ reason: 'missing' })
    expect(of('torn')).toMatchObject({ reason: 'badExternalId' })
    expect(await deployed.faces('table')).toHaveLength(1)
  })

  if (isLong)
    test('continues after it was killed, without duplicates and without a loss', async () => {
      const people = Array.from({ length: 150 }, (_, i) => [`p${i}.jpg`, { person: `person ${i}` }] as const)
      const folder = await folderOf({ ...Object.fromEntries(people), 'none.jpg': { person: null } })
      const part = `${folder}.csv.part`
      // The first line describes the import and is not CSV.
      const rowsNow = async () => {
        const text = await readFile(part, 'utf8').catch(() => '')
        return readCsv(text.slice(text.indexOf('\n') + 1), false).rows.length
      }
      for (const rows of [20, 70]) {
        const killed = start(folder, 'killed', '--external-id', 'file-name')
        while ((await rowsNow()) < rows) await pause(5)
        killed.child.kill('SIGKILL')
        await killed.ended
      }
      // The state after a kill in the middle of a row.
      const text = await readFile(part, 'utf8')
      await writeFile(part, text.slice(0, -5))
      const before = await deployed.faces('killed')
      expect(before.length).toBeGreaterThan(60)
      expect(before.length).toBeLessThan(150)
      const { told } = await run(folder, 'killed', '--external-id', 'file-name')
      expect(told).toContain('noFace: 1\n')
      const { rows } = await report(`${folder}.csv`)
      expect(rows.map(({ file }) => file).toSorted()).toEqual(
        [...people.map(([file]) => file), 'none.jpg'].toSorted(),
      )
      const faces = await deployed.faces('killed')
      expect(faces.map(({ externalId }) => externalId).toSorted()).toEqual(
        people.map(([file]) => file.slice(0, -4)).toSorted(),
      )
      const reported = new Set(rows.flatMap(({ faceId }) => (faceId === '' ? [] : [faceId!])))
      expect(reported).toEqual(new Set(faces.map(({ faceId }) => faceId)))
      await expect(readFile(part)).rejects.toThrow()
    })

  test('stops if the collection is deleted meanwhile, and does not create it again', async () => {
    const people = Array.from({ length: 60 }, (_, i) => [`p${i}.jpg`, { person: `person ${i}` }] as const)
    const folder = await folderOf(Object.fromEntries(people))
    const { access, accountId } = deployed
    const importing = start(folder, 'deleted')
    for (let isBegun = false; !isBegun; await pause(5))
      isBegun =
        (await access.find(accountId, 'deleted')) !== undefined &&
        (await deployed.faces('deleted')).length > 3
    await access.change(accountId, 'deleted', async (_, writer) => ({
      answer: undefined,
      change: writer.erase(),
    }))
    const { code, errors } = await importing.ended
    expect(errors).toContain('The collection was deleted during the import.')
    expect(code).toBe(1)
    expect(await access.find(accountId, 'deleted')).toBeUndefined()
  })

  test('does not mistake its own report for a picture', async () => {
    const folder = await folderOf({ 'a.jpg': { person: 'anna' } })
    const { told } = await run(folder, 'within', '--report', join(folder, 'out.csv'))
    expect(told).toContain('kept: 1\n')
    expect((await report(join(folder, 'out.csv'))).rows).toHaveLength(1)
  })

  test('does not continue a different import than the interrupted one', async () => {
    const folder = await folderOf({ 'a.jpg': { person: 'anna' } })
    await writeFile(`${folder}.csv.part`, '#{"collectionId":"another"}\nfile\r\n')
    const { code, errors } = await run(folder, 'other')
    expect(code).toBe(1)
    expect(errors).toContain('is the report of another, unfinished import')
  })

  test.each([
    [['--least-quality', '101'], '--least-quality must be a number from 0 to 100.'],
    [
      ['--external-id', 'nowhere.csv'],
      '--external-id must be file-name, folder, or a file; nowhere.csv does not exist.',
    ],
  ])('refuses %j', async (words, message) => {
    const { code, errors } = await run(await folderOf({ 'a.jpg': { person: 'anna' } }), 'refused', ...words)
    expect(code).toBe(2)
    expect(errors).toContain(message)
  })
})
