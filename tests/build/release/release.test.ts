import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { callerOf } from '../../../lab/torture/caller.ts'
import { startBuiltServer } from '../../support/programs/built-server.ts'
import { startReceiver } from '../../support/programs/receiver.ts'
import { astronaut, bytesOf } from '../../support/upload.ts'

const megabyte = 1e6
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const name = `selfsame-${version}-${process.platform}-${process.arch}`
/** `nobody` and `nogroup` of Debian. Only root can start a program as another user. */
const nobody = { uid: 65_534, gid: 65_534 }
const asAnother = process.getuid?.() === 0 ? { user: nobody } : {}

let place: string
let root: string
let files: string[]
let printed: string

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'selfsame-release-test-'))
  chmodSync(place, 0o755)
  const words = ['node_modules/tsx/dist/cli.mjs', 'build/release/release.ts', '--pack', place]
  printed = execFileSync(process.execPath, words, { encoding: 'utf8' })
  execFileSync('tar', ['-xzf', `${name}.tar.gz`], { cwd: place })
  root = join(place, name)
  execFileSync('chmod', ['-R', 'a-w', root])
  files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}, 180_000)
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', place])
  rmSync(place, { recursive: true, force: true })
})

/** An empty folder next to the release, for whoever runs it. */
function emptyFolder(of: string): string {
  const folder = join(place, of)
  mkdirSync(folder, { mode: 0o700 })
  if (asAnother.user !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  return folder
}

describe('a release', () => {
  test('has at most 190 MB, says how many, and comes with its sha256', () => {
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeLessThan(190 * megabyte)
    expect(printed).toContain(`${name}: ${(bytes / megabyte).toFixed(1)} MB unpacked`)
    const digest = createHash('sha256')
      .update(readFileSync(join(place, `${name}.tar.gz`)))
      .digest('hex')
    expect(readFileSync(join(place, `${name}.tar.gz.sha256`), 'utf8')).toBe(`${digest}  ${name}.tar.gz\n`)
  })

  test('has no binary of another system, no source map and nothing that only a checkout can use', () => {
    const binaries = files.filter((file) => /\.(node|so[\d.]*|dll|dylib|exe)$/.test(file))
    expect(binaries.length).toBeGreaterThan(4)
    const elf = Buffer.from('\x7fELF')
    for (const file of binaries) expect(readFileSync(file).subarray(0, 4).equals(elf), file).toBe(true)
    const own = files.map((file) => relative(root, file)).filter((file) => !file.startsWith('node_modules/'))
    expect(
      own.filter(
        (file) =>
          /\.map$|\.sources$|(?:^|\/)compose\.|\.test\.|__pycache__|\.tsx?$/.test(file) &&
          !/\.d\.ts$/.test(file),
      ),
    ).toEqual([])
    expect(own).toEqual(
      expect.arrayContaining(['LICENSE', 'CHANGELOG.md', 'docs/operate.md', 'ops/alerts.yaml']),
    )
  })

  test('names the licence of every package in it, and lists it in its bill of materials', () => {
    const licences = readFileSync(join(root, 'licences.txt'), 'utf8')
    const { components } = JSON.parse(readFileSync(join(root, 'sbom.cdx.json'), 'utf8')) as {
      components: { 'bom-ref': string }[]
    }
    const listed = components.map((one) => one['bom-ref'])
    const packages = files
      .filter((file) => /node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file))
      .map((file) => JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string })
    expect(packages.length).toBeGreaterThan(100)
    for (const one of packages) {
      expect(licences).toContain(`\n${one.name} ${one.version}\n`)
      expect(listed).toContain(`${one.name}@${one.version}`)
    }
    for (const bundled of ['preact', 'uplot', 'onnxruntime-web']) expect(licences).toContain(`\n${bundled} `)
    expect(licences).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  })

  test('has every package that the built server imports, except the replacement of the native runtime', () => {
    const built = files
      .filter((file) => file.startsWith(join(root, 'dist/server/')) && file.endsWith('.js'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    const named = built.matchAll(
      /(?:\bfrom|\bimport\(|require\.resolve\() ?"((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?"/g,
    )
    const packages = [...new Set([...named].map(([, one]) => one!))]
    expect(packages.length).toBeGreaterThan(15)
    const there = new Set(files.map((file) => relative(join(root, 'node_modules'), file)))
    expect(packages.filter((one) => !there.has(join(one, 'package.json')))).toEqual(['onnxruntime-web'])
  })

  test('runs from a read-only folder as another user, without npm and with an empty HOME, and leaves nothing there', async () => {
    const collector = await startReceiver()
    const [home, data, path] = ['home', 'data', 'path'].map(emptyFolder) as [string, string, string]
    const settings = {
      ...{ HOME: home, DATA_DIR: data, PATH: path, LOG_LEVEL: 'error', DEMO: 'false' },
      OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.address).origin,
    }
    const server = await startBuiltServer(settings, [], { root, ...asAnother })
    try {
      while ((await fetch(`${server.origin}/v1/readyz`)).status !== 200) await pause(50)
      const { faces } = await callerOf(server.origin, server.apiKey).call(detectFaces, {
        body: { image: bytesOf(astronaut) },
      })
      expect(faces).toHaveLength(1)
      for (const page of ['/swagger/swagger-ui-bundle.js', '/verification/x', '/console', '/kiosk'])
        expect((await fetch(server.origin + page)).status, page).toBe(200)
      const accounts = execFileSync(process.execPath, ['dist/server/account.js', 'list'], {
        ...{ cwd: root, encoding: 'utf8', env: settings },
        ...asAnother.user,
      })
      expect(accounts).toContain('My account')
      expect(server.log.filter((line) => !line.includes('node_unsupported'))).toEqual([])
    } finally {
      await server.stop()
      collector.close()
    }
    expect(collector.received.map(({ body }) => body).join('\n')).toContain('"name":"analysis"')
    expect(readdirSync(home)).toEqual([])
  })
})

/** The Dockerfile must copy what the tests above have tried, and nothing else. */
test('the image is made of a release', () => {
  const [, last] = readFileSync('Dockerfile', 'utf8').split(/^FROM \$\{BASE_IMAGE\}$/m)
  expect(readFileSync('Dockerfile', 'utf8')).toContain('npm run release -- --unpacked /selfsame\n')
  expect(last!.match(/^COPY .*$/gm)).toEqual([
    'COPY --from=build /usr/local/bin/node /usr/local/bin/node',
    'COPY --from=build /usr/local/LICENSE /usr/local/LICENSE',
    'COPY --from=build /selfsame ./',
  ])
})
