import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressFolder } from '../../build/precompress.ts'

test('files with the same content are compressed once, and each gets its own copy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-compressed-'))
  const content = `${Math.random()} ${'again and again '.repeat(500)}`
  const names = ['one.js', 'two.js', 'three.js', 'four.js']
  await Promise.all(names.map((name) => writeFile(join(folder, name), content)))
  expect(await compressFolder(folder)).toMatchObject({ files: 4, bytes: 4 * content.length })
  for (const name of names) {
    expect(brotliDecompressSync(await readFile(join(folder, `${name}.br`))).toString()).toBe(content)
    expect(gunzipSync(await readFile(join(folder, `${name}.gz`))).toString()).toBe(content)
  }
  await rm(folder, { recursive: true })
})

test('a file that does not get smaller has no compressed form', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-compressed-'))
  await writeFile(join(folder, 'noise.onnx'), randomBytes(5000))
  expect(await compressFolder(folder)).toEqual({ files: 1, bytes: 5000, compressedBytes: 5000 })
  expect(await readdir(folder)).toEqual(['noise.onnx'])
  await rm(folder, { recursive: true })
})
