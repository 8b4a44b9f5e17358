import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import manifest from '../../models/weights/manifest.json' with { type: 'json' }

interface Component {
  readonly type: string
  readonly name: string
  readonly version: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

let bill: {
  bomFormat: string
  metadata: { component: Component }
  components: Component[]
}
beforeAll(() => {
  const words = ['node_modules/tsx/dist/cli.mjs', 'build/sbom.ts']
  bill = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }))
})

const { dependencies, devDependencies, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

test('is CycloneDX of this version, and pins the lock file by its digest', () => {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  expect(bill.bomFormat).toBe('CycloneDX')
  expect(bill.metadata.component).toMatchObject({
    name: 'selfsame',
    version,
    properties: [{ name: 'selfsame:package-lock.json:sha256', value: lock }],
  })
})

test('names every runtime package with its version and its hash, and no build-only ones', () => {
  const libraries = bill.components.filter(({ type }) => type === 'library')
  expect(libraries.length).toBeGreaterThan(50)
  for (const [name, wanted] of Object.entries(dependencies))
    expect(libraries.find((one) => one.name === name && one.version === wanted)?.hashes?.[0]?.alg).toBe(
      'SHA-512',
    )
  const names = libraries.map(({ name }) => name)
  for (const name of ['vitest', 'vite', 'typescript', 'knip', '@biomejs/biome']) {
    expect(devDependencies).toHaveProperty([name])
    expect(names).not.toContain(name)
  }
})

test('names every shipped network with the sha256 of its weights', () => {
  const networks = bill.components.filter(({ type }) => type === 'machine-learning-model')
  expect(networks.map(({ name, hashes }) => [name, hashes?.[0]?.content])).toEqual(
    Object.entries(manifest.models).map(([name, { sha256 }]) => [name, sha256]),
  )
})
