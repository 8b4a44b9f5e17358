import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keptLeaf } from '#server/platform/listening/https/kept-leaf.ts'

const now = Date.UTC(2026, 0, 1)
const day = 24 * 3600 * 1000
const names = ['192.168.1.20', 'localhost']

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-leaf-'))
})
afterEach(() => rm(folder, { recursive: true }))

const file = () => join(folder, 'https-trial.pem')

test('it is stored in a file that only its owner can read, even if it replaces another', async () => {
  await writeFile(file(), '', { mode: 0o644 })
  const { key } = await keptLeaf(folder, names, now)
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  expect(await readFile(file(), 'utf8')).toContain(key.trim())
})

test.each([
  ['the same day', names, 0, true],
  ['with a day left', names, 13 * day, true],
  ['with less than a day left', names, 13 * day + 1, false],
  ['for fewer names', ['localhost'], 0, true],
  ['for another address', ['192.168.1.21', 'localhost'], 0, false],
])('%s it is the same: %o', async (_, wanted, later, isSame) => {
  const first = await keptLeaf(folder, names, now)
  const second = await keptLeaf(folder, wanted, now + later)
  expect(second.cert.trim() === first.cert.trim()).toBe(isSame)
})
