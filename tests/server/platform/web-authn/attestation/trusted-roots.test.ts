import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTrustedRoots, standingRoot } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import { type DeviceMaker, newMaker, rootOf } from '../../../../support/passkeys/makers.ts'

const now = Date.now()
let root: string
let makers: DeviceMaker[]
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'selfsame-roots-'))
  makers = [await newMaker('One'), await newMaker('Two'), await newMaker('Three')]
})
afterAll(() => rm(root, { recursive: true, force: true }))

let folders = 0
async function folderOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = join(root, String(++folders))
  await mkdir(folder)
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}
const wordsFor = (folder: string) =>
  openTrustedRoots(folder, now).then(
    () => 'opened',
    ({ message }: Error) => message,
  )

test('certificates are read as PEM and as DER, several in a file, each once', async () => {
  const [one, two, three] = makers as [DeviceMaker, DeviceMaker, DeviceMaker]
  const folder = await folderOf({
    'one.pem': `Of the maker\n${one.pem}\n${two.pem}`,
    'two.CER': two.der,
    'three.crt': three.pem,
    'again.der': three.der,
    'README.txt': 'No certificate, and not read.',
  })
  const roots = (await openTrustedRoots(folder, now))!
  expect(roots.map(({ fingerprint }) => fingerprint).sort()).toEqual(
    makers.map((maker) => rootOf(maker).fingerprint).sort(),
  )
  expect(standingRoot(roots, rootOf(two).fingerprint, now)?.certificate.subject).toBe('CN=Two')
  expect(standingRoot(roots, rootOf(two).fingerprint, now + 366 * 24 * 3600_000)).toBeUndefined()
  expect(standingRoot(roots, 'ab', now)).toBeUndefined()
  expect(standingRoot(undefined, rootOf(two).fingerprint, now)).toBeUndefined()
})

test('nothing is trusted without a configured folder', async () => {
  expect(await openTrustedRoots(undefined, now)).toBeUndefined()
})

test('a missing or empty folder stops the start with a reason', async () => {
  const missing = join(root, 'missing')
  expect(await wordsFor(missing)).toBe(
    `The settings are wrong.\n  PASSKEY_ROOTS: ${missing} cannot be read (ENOENT).`,
  )
  expect(await wordsFor(await folderOf({}))).toContain('contains no certificate')
  expect(await wordsFor(await folderOf({ 'README.txt': 'x' }))).toContain('contains no certificate')
})

test.each<[string, (folder: string) => Promise<unknown>, string]>([
  ['empty', (folder) => writeFile(join(folder, 'bad.pem'), ''), 'bad.pem is not a certificate'],
  ['of other bytes', (folder) => writeFile(join(folder, 'bad.crt'), 'x'), 'bad.crt is not a certificate'],
  ['not readable', (folder) => mkdir(join(folder, 'bad.cer')), 'bad.cer cannot be read'],
  [
    'torn',
    (folder) => writeFile(join(folder, 'bad.der'), makers[0]!.der.subarray(0, 99)),
    'bad.der is not a certificate',
  ],
  [
    'expired',
    async (folder) => writeFile(join(folder, 'bad.pem'), (await newMaker('Old', { from: -9, to: -1 })).pem),
    'bad.pem expired on ',
  ],
  [
    'expired, after a good one',
    async (folder) =>
      writeFile(
        join(folder, 'bad.pem'),
        `${makers[0]!.pem}\n${(await newMaker('Old', { from: -9, to: -1 })).pem}`,
      ),
    'bad.pem expired on ',
  ],
  [
    'not begun',
    async (folder) => writeFile(join(folder, 'bad.pem'), (await newMaker('Early', { from: 2 })).pem),
    'bad.pem is not valid before ',
  ],
])('a file that is %s stops the start, and is named', async (_, put, words) => {
  const folder = await folderOf({ 'good.pem': makers[0]!.pem })
  await put(folder)
  expect(await wordsFor(folder)).toContain(`PASSKEY_ROOTS: ${words}`)
})
