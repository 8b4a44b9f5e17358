import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recipeOf } from '#models/rules/pack-recipe.ts'
import { requireInstalled } from '#server/features/packs/installed-pack.ts'
import { notePackUse } from '#server/features/packs/pack-users.ts'
import { type PacksPorts, runPacks } from '#server/features/packs/run-packs.ts'
import { createAllowList } from '#server/platform/http/outbound/allow-list.ts'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import { hasSharedWeights, needsSharedWeights, sharedWeights } from '../../../support/shared-weights.ts'
import { smallFiles, smallPack } from '../../../support/small-pack.ts'

let folder: string
let packsDir: string
let server: Server
let origin: string
let serve: RequestListener
const asked: string[] = []

const send: RequestListener = (request, response) => {
  const name = request.url!.slice(1) as keyof typeof smallFiles
  response.end(smallFiles[name])
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-packs-'))
  packsDir = join(folder, 'packs')
  serve = send
  asked.length = 0
  server = createServer((request, response) => {
    asked.push(request.url!)
    serve(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const loopback = createOutbound({ allowLoopback: false, alsoGetFrom: createAllowList(['loopback']) })

/** Runs the command on two small networks that this machine serves. With `real`, it uses the product's networks. */
async function packs(words: string, given: Partial<PacksPorts> & { real?: boolean } = {}) {
  const told: string[] = []
  const errors: string[] = []
  const io = {
    write: (text: string) => void told.push(text),
    error: (text: string) => void errors.push(text),
  }
  const { real, ...ports } = given
  const code = await runPacks(words.split(' ').filter(Boolean), io, () => ({
    packsDir,
    outbound: loopback,
    countPinned: async () => 0,
    now: Date.now,
    ...io,
    recipeOf: (pack) => (real ? recipeOf(pack) : recipeOf(pack) && smallPack(origin)),
    ...ports,
  }))
  return { code, told: told.join('\n'), errors: errors.join('\n') }
}

/** The folders of packs, whether they are complete or not. */
const found = async () => (await readdir(packsDir).catch(() => [])).filter((name) => name !== 'users')

describe('npm run packs -- install', () => {
  test('prints licences and training data, and installs nothing, until they are accepted', async () => {
    const { code, told } = await packs('install extended', { real: true })
    expect(code).toBe(1)
    for (const words of ['Apache-2.0', 'MIT', 'MS-Celeb-1M', 'DISPUTED', '--accept-licence', 'https://raw.'])
      expect(told).toContain(words)
    expect([await found(), asked]).toEqual([[], []])
  })

  test('fetches every file, for the owner only, and shows the progress', async () => {
    const { code, errors } = await packs('install extended --accept-licence')
    expect(code).toBe(0)
    expect(asked).toEqual(['/one.onnx', '/two.onnx'])
    expect(errors.split('\n')).toHaveLength(2)
    expect(await found()).toEqual(['extended'])
    for (const [file, bytes] of Object.entries(smallFiles)) {
      const path = join(packsDir, 'extended', file)
      expect(await readFile(path)).toEqual(bytes)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    }
  })

  test.each<[string, RequestListener]>([
    ['a file that is another one', (_, response) => void response.end('some other network')],
    ['a file of the right size but other content', (_, response) => void response.end('the first netw0rk')],
    ['a body that is too long', (_, response) => void response.end(Buffer.alloc(100_000))],
    [
      'a body of undeclared excessive length',
      (_, response) => {
        response.write(Buffer.alloc(50_000))
        response.end(Buffer.alloc(50_000))
      },
    ],
    [
      'a truncated body',
      (_, response) => {
        response.writeHead(200, { 'content-length': '17' })
        response.write('the first')
        setTimeout(() => response.destroy(), 20)
      },
    ],
    ['a body that is too short', (_, response) => void response.end('the first')],
    [
      'a redirect, even to the right file',
      (request, response) =>
        request.url === '/moved'
          ? response.end(smallFiles['one.onnx'])
          : response.writeHead(302, { location: '/moved' }).end(),
    ],
    ['an error', (_, response) => void response.writeHead(404).end()],
    [
      'a second file with other contents',
      (request, response) =>
        request.url === '/one.onnx' ? send(request, response) : response.end(Buffer.alloc(5000)),
    ],
  ])('refuses %s, and leaves nothing', async (_, listener) => {
    serve = listener
    const { code, errors } = await packs('install extended --accept-licence')
    expect(code).toBe(1)
    expect(errors).toMatch(/(one|two)\.onnx/)
    expect(errors).not.toContain('    at ')
    expect(await found()).toEqual([])
    if (asked[0] !== '/moved') expect(asked).not.toContain('/moved')
  })

  test('requests no address that the outbound client refuses', async () => {
    const outbound = createOutbound({ allowLoopback: false })
    const { code, errors } = await packs('install extended --accept-licence', { outbound })
    expect(code).toBe(1)
    expect(errors).toContain('not allowed')
    expect([asked, await found()]).toEqual([[], []])
  })

  test('removes the remains of an interrupted one, which never counted', async () => {
    await packs('install extended --accept-licence')
    await rm(join(packsDir, 'extended'), { recursive: true })
    await mkdir(join(packsDir, 'extended.unfinished-abc'))
    expect((await packs('list')).told).toMatch(/extended {2}\(not installed/)
    await packs('install extended --accept-licence')
    expect(await found()).toEqual(['extended'])
  })

  test('takes the files from a folder, with the same checks', async () => {
    const { code: missing, errors } = await packs(`install extended --accept-licence --from ${folder}`)
    expect([missing, errors]).toEqual([1, `${join(folder, 'one.onnx')} cannot be read.`])
    for (const [file, bytes] of Object.entries(smallFiles)) await writeFile(join(folder, file), bytes)
    await writeFile(join(folder, 'two.onnx'), Buffer.alloc(5000))
    expect((await packs(`install extended --accept-licence --from ${folder}`)).code).toBe(1)
    expect(await found()).toEqual([])
    await writeFile(join(folder, 'two.onnx'), smallFiles['two.onnx'])
    expect((await packs(`install extended --accept-licence --from ${folder}`)).code).toBe(0)
    expect([await found(), asked]).toEqual([['extended'], []])
  })

  test('nothing starts without the networks that ship, and the message names them and the remedy', async () => {
    await requireInstalled('standard', packsDir, 'models/weights')
    await expect(requireInstalled('standard', packsDir, '/nowhere/models/weights')).rejects.toThrow(
      '/nowhere/models/weights is missing: restore it from the repository, or unpack the archive again.',
    )
  })

  test.skipIf(!hasSharedWeights)(
    `installs the real networks from a folder, and the server accepts them until they are altered${needsSharedWeights}`,
    async () => {
      const words = `install extended --accept-licence --from ${sharedWeights}`
      await expect(requireInstalled('extended', packsDir, 'models/weights')).rejects.toThrow(
        /extended pack is not installed.*npm run packs -- install extended/,
      )
      expect((await packs(words, { real: true })).code).toBe(0)
      await requireInstalled('extended', packsDir, 'models/weights')
      expect((await packs('list', { real: true })).told).toMatch(/extended {2}\(installed, 5\.7 MB\)/)
      const altered = join(packsDir, 'extended', 'MiniFASNetV2.onnx')
      const bytes = await readFile(altered)
      bytes[1000]! ^= 1
      await writeFile(altered, bytes)
      await expect(requireInstalled('extended', packsDir, 'models/weights')).rejects.toThrow(
        /extended pack was altered.*npm run packs -- install extended/,
      )
      expect((await packs('list', { real: true })).told).toContain('altered')
      expect((await packs(words, { real: true })).code).toBe(0)
      await requireInstalled('extended', packsDir, 'models/weights')
    },
  )
})

describe('npm run packs -- remove', () => {
  const install = () => packs('install extended --accept-licence')

  test('removes an unused pack', async () => {
    await install()
    expect(await packs('remove extended', { real: true })).toMatchObject({ code: 0 })
    expect(await found()).toEqual([])
    expect(await packs('remove extended', { real: true })).toMatchObject({
      code: 1,
      errors: 'The extended pack is not installed.',
    })
  })

  test('keeps a pack that a running server uses, even against the operator’s command', async () => {
    await install()
    const use = await notePackUse('extended', packsDir)
    const { code, errors } = await packs('remove extended --although-pinned', { real: true })
    expect(code).toBe(1)
    expect(errors).toContain(`process ${process.pid} on ${hostname()}`)
    expect(await found()).toEqual(['extended'])
    await use.end()
    expect((await packs('remove extended', { real: true })).code).toBe(0)
  })

  test('distrusts an old record of use, whichever process has the number by now', async () => {
    await install()
    await notePackUse('extended', packsDir)
    const later = (): number => Date.now() + 200_000
    expect((await packs('remove extended', { real: true, now: later })).code).toBe(0)
  })

  test('a renewed use counts again', async () => {
    await install()
    const use = await notePackUse('extended', packsDir)
    await utimes(join(packsDir, 'users', (await readdir(join(packsDir, 'users')))[0]!), 1, 1)
    await use.renew()
    expect((await packs('remove extended', { real: true })).code).toBe(1)
  })

  test('trusts the process of this machine, and the record of another machine for a while', async () => {
    await install()
    const users = join(packsDir, 'users')
    await (await notePackUse('extended', packsDir)).end()
    const user = (host: string) => JSON.stringify({ pack: 'extended', host, pid: 2 ** 22 + 1 })
    await writeFile(join(users, 'dead.json'), user(hostname()))
    await writeFile(join(users, 'broken.json'), '{')
    await writeFile(join(users, 'far.json'), user('elsewhere.example'))
    expect((await packs('remove extended', { real: true })).errors).toContain('elsewhere.example')
    const later = (): number => Date.now() + 200_000
    expect((await packs('remove extended', { real: true, now: later })).code).toBe(0)
  })

  test.each<[string, () => Promise<number>, string]>([
    ['collections pin its models', async () => 3, 'pack: 3'],
    ['the store cannot be reached', () => Promise.reject(new Error('Nobody answers.')), 'Nobody answers.'],
  ])('keeps a pack if %s, unless forced', async (_, countPinned, words) => {
    await install()
    const { code, errors } = await packs('remove extended', { real: true, countPinned })
    expect(code).toBe(1)
    expect(errors).toContain(words)
    expect(errors).toContain('--although-pinned')
    expect(await found()).toEqual(['extended'])
    expect((await packs('remove extended --although-pinned', { real: true, countPinned })).code).toBe(0)
  })
})

describe('npm run packs', () => {
  test('lists every pack with its size, its licences and its additions', async () => {
    const { told } = await packs('list --json', { real: true })
    const listed = JSON.parse(told).packs as { name: string; state: string; bytes: number }[]
    expect(listed.map(({ name, state }) => [name, state])).toEqual([
      ['standard', 'shipped'],
      ['conservative', 'shipped'],
      ['extended', 'absent'],
    ])
    expect(listed.every(({ bytes }) => bytes > 1e6)).toBe(true)
  })

  test.each([
    ['', 2],
    ['--help', 0],
    ['install --help', 0],
    ['mend', 2],
    ['install', 2],
    ['install nothing', 2],
    ['install extended other', 2],
    ['install extended --although-pinned', 2],
    ['list --from x', 2],
    ['remove extended --force', 2],
    ['install standard --accept-licence', 1],
    ['remove conservative', 1],
  ])('%s exits with %i', async (words, expected) => {
    const { code, told, errors } = await packs(words)
    expect(code).toBe(expected)
    expect(`${told}${errors}`).not.toBe('')
  })

  test('a file outside the folder is never used', async () => {
    await copyFile(import.meta.filename, join(folder, 'one.onnx'))
    expect((await packs(`install extended --accept-licence --from ${folder}`)).code).toBe(1)
  })
})
