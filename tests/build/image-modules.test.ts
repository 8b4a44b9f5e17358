import { describe, expect, test } from 'vitest'
import { isLeftOut, packagesOfProduct, packagesOfServer } from '../../build/image-modules.ts'

const here = { platform: 'linux', arch: 'x64' } as const

describe('packages left out of a release', () => {
  test.each([
    ['onnxruntime-node/bin/napi-v6/darwin/', true],
    ['onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime.dll', true],
    ['onnxruntime-node/bin/napi-v6/linux/', false],
    ['onnxruntime-node/bin/napi-v6/linux/arm64/', true],
    ['onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1', false],
    ['@lmdb/lmdb-linux-x64/node.abi115.glibc.node', true],
    ['@lmdb/lmdb-linux-x64/node.abi127.glibc.node', false],
    ['@lmdb/lmdb-linux-x64/node.abi137.glibc.node', false],
    ['@lmdb/lmdb-linux-x64/node.napi.glibc.node', false],
    ['@lmdb/lmdb-linux-x64/node.napi.musl.node', true],
    ['lmdb/dependencies/', true],
    ['lmdb/src/env.cpp', true],
    ['bintrees/test/', true],
    ['bintrees/lib/', false],
    ['zod/src/index.ts', true],
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
    const isInstalled = (folder: string) => !missing.includes(folder)
    const missing = ['node_modules/other', 'node_modules/absent']
    const ofServer = [
      'node_modules/deep',
      'node_modules/koa',
      'node_modules/koa/node_modules/semver',
      'node_modules/traces',
    ]
    expect(packagesOfServer(lock, isInstalled)).toEqual(ofServer)
    expect(packagesOfProduct(lock, isInstalled)).toEqual(
      [...ofServer, 'node_modules/onnxruntime-web', 'node_modules/preact'].sort(),
    )
  })
})
