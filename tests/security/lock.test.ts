import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

interface Locked {
  readonly version?: string
  /** For links, the folder that they point to. */
  readonly resolved?: string
  readonly link?: boolean
  readonly integrity?: string
}

test('every package of the lock has a single version and a hash', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>
  }
  const links = Object.values(packages).filter(({ link }) => link === true)
  expect(links.map(({ resolved }) => resolved)).toEqual(['lab'])
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path !== '' && path !== 'lab' && link !== true,
  )
  expect(installed.length).toBeGreaterThan(100)
  const unproven = installed.filter(
    ([, { version, integrity }]) => version === undefined || !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
  )
  expect(unproven.map(([path]) => path)).toEqual([])
})

test.each(['package.json', 'lab/package.json'])('%s pins exact versions, not ranges', async (file) => {
  const { dependencies, devDependencies } = JSON.parse(await readFile(file, 'utf8'))
  expect(Object.keys(devDependencies)).not.toEqual([])
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^(npm:[a-z-]+@)?\d+\.\d+\.\d+$/)
  }
})

test.each([
  ['Dockerfile', /npm ci(?! --ignore-scripts)/],
  ['.ci/run', /npm ci(?! --ignore-scripts)|npm install/],
])('%s installs without running a script of a package', async (file, careless) => {
  const text = await readFile(file, 'utf8')
  expect(text).toContain('npm ci --ignore-scripts')
  expect(text).not.toMatch(careless)
})
