import '../long-alone.ts'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { isLeftOut, packagesOfServer } from '../../build/image-modules.ts'
import { callerOf } from '../../lab/torture/caller.ts'
import { startBuiltServer } from '../support/programs/built-server.ts'
import { startReceiver } from '../support/programs/receiver.ts'
import { astronaut, bytesOf } from '../support/upload.ts'

const here = { platform: 'linux', arch: 'x64', modules: '137' }
const megabyte = 1e6

describe('packages left out of the image', () => {
  test.each([
    ['onnxruntime-node/bin/napi-v6/darwin/', true],
    ['onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime.dll', true],
    ['onnxruntime-node/bin/napi-v6/linux/', false],
    ['onnxruntime-node/bin/napi-v6/linux/arm64/', true],
    ['onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1', false],
    ['@lmdb/lmdb-linux-x64/node.abi127.glibc.node', true],
    ['@lmdb/lmdb-linux-x64/node.abi137.glibc.node', false],
    ['@lmdb/lmdb-linux-x64/node.napi.glibc.node', false],
    ['@lmdb/lmdb-linux-x64/node.napi.musl.node', true],
    ['lmdb/dependencies/', true],
    ['lmdb/src/env.cpp', true],
    ['swagger-ui-dist/swagger-ui-bundle.js', false],
    ['swagger-ui-dist/swagger-ui-bundle.js.map', true],
    ['swagger-ui-dist/swagger-ui-es-bundle.js', true],
    ['valibot/dist/index.d.mts', true],
    ['valibot/LICENSE.md', false],
    ['@opentelemetry/core/build/src/index.js', false],
    ['@opentelemetry/core/build/esm/index.js', true],
    ['@opentelemetry/core/build/esnext/index.js', true],
    ['@opentelemetry/semantic-conventions/dist/index.cjs', false],
    ['@opentelemetry/semantic-conventions/dist/index.mjs', true],
    ['@opentelemetry/semantic-conventions/dist/experimental_attributes.cjs', true],
  ])('%s: %s', (path, expected) => {
    expect(isLeftOut(path, here)).toBe(expected)
  })

  test('are those of pages, of other systems and of development; nested packages are resolved as Node does', () => {
    const lock = {
      '': {
        dependencies: { koa: '1', preact: '1', 'onnxruntime-web': '1' },
        optionalDependencies: { traces: '1', absent: '1' },
      },
      'node_modules/koa': { dependencies: { semver: '2' }, optionalDependencies: { other: '1' } },
      'node_modules/koa/node_modules/semver': { dependencies: { deep: '1' } },
      'node_modules/semver': {},
      'node_modules/deep': {},
      'node_modules/other': {},
      'node_modules/preact': {},
      'node_modules/onnxruntime-web': {},
      'node_modules/tsx': {},
      'node_modules/traces': {},
      'node_modules/absent': {},
    }
    const missing = ['node_modules/other', 'node_modules/absent']
    expect(packagesOfServer(lock, (folder) => !missing.includes(folder))).toEqual([
      'node_modules/deep',
      'node_modules/koa',
      'node_modules/koa/node_modules/semver',
      'node_modules/traces',
    ])
  })
})

describe('the product with the packages of the image', () => {
  let root: string
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'selfsame-image-'))
    execFileSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'build/image-modules.ts', root])
    for (const part of ['package.json', 'dist', 'models/weights', 'docs'])
      cpSync(part, join(root, part), { recursive: true })
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('is a third of a full npm install, and has no binary of another system', () => {
    const modules = join(root, 'node_modules')
    const files = readdirSync(modules, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeLessThan(100 * megabyte)
    const binaries = files.filter((file) => /\.(node|so[\d.]*|dll|dylib|exe)$/.test(file))
    expect(binaries.length).toBeGreaterThan(4)
    const elf = Buffer.from('\x7fELF')
    for (const file of binaries) expect(readFileSync(file).subarray(0, 4).equals(elf), file).toBe(true)
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
  })

  test('starts, analyses a picture, shows its interface and its commands, and sends traces', async () => {
    const collector = await startReceiver()
    const OTEL_EXPORTER_OTLP_ENDPOINT = new URL(collector.address).origin
    const settings = { LOG_LEVEL: 'error', DEMO: 'false', OTEL_EXPORTER_OTLP_ENDPOINT }
    const server = await startBuiltServer(settings, [], { root })
    try {
      while ((await fetch(`${server.origin}/v1/readyz`)).status !== 200) await pause(50)
      const { faces } = await callerOf(server.origin, server.apiKey).call(detectFaces, {
        body: { image: bytesOf(astronaut) },
      })
      expect(faces).toHaveLength(1)
      for (const path of ['/swagger/swagger-ui-bundle.js', '/verification/x', '/console'])
        expect((await fetch(server.origin + path)).status, path).toBe(200)
      expect(server.log.filter((line) => !line.includes('node_unsupported'))).toEqual([])
    } finally {
      await server.stop()
      collector.close()
    }
    expect(collector.received.map(({ body }) => body).join('\n')).toContain('"name":"analysis"')
  })

  test('has every package that the built server imports, except the replacement of the native runtime', () => {
    const built = readdirSync('dist/server', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join('dist/server', name), 'utf8'))
      .join('\n')
    const named = built.matchAll(
      /(?:\bfrom|\bimport\(|require\.resolve\() ?"((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?"/g,
    )
    const packages = [...new Set([...named].map(([, name]) => name!))]
    expect(packages.length).toBeGreaterThan(15)
    const there = (name: string) =>
      readdirSync(join(root, 'node_modules', name, '..')).includes(name.split('/').at(-1)!)
    expect(packages.filter((name) => !there(name))).toEqual(['onnxruntime-web'])
  })
})

/** The Dockerfile must copy the same packages as the test above. */
test('the Dockerfile copies its packages from there, and no others', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  expect(dockerfile).toContain('build/image-modules.ts /image')
  expect(dockerfile.match(/node_modules \.\/node_modules/g)).toHaveLength(1)
  expect(dockerfile).toContain('COPY --from=build /image/node_modules ./node_modules')
})
