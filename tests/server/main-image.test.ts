import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSettings, settingNames } from '#server/settings.ts'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
const compose = readFileSync('compose.yaml', 'utf8')

/** Names and values that the image sets, without those of the platform. */
const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)]
    .flatMap(([, pairs]) => pairs!.split(' '))
    .map((pair) => pair.split('='))
    .filter(([name]) => name !== 'NODE_ENV') as [string, string][],
)

/** What a service of compose.yaml sets; what the operator must set has a value that makes sense. */
function environmentOf(service: string): Record<string, string> {
  const [, block = ''] = new RegExp(
    `^  ${service}:\\n(?:    .*\\n)*?    environment:\\n((?:      .*\\n)+)`,
    'm',
  ).exec(compose)!
  const pairs = [...block.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)]
  return Object.fromEntries(
    pairs.map(([, name, value]) => [
      name!,
      value!
        .replaceAll("'", '')
        .replace(/\$\{[A-Z]+_URL:[^}]*\}/, 'https://check.example')
        .replace(/\$\{[A-Z]+_SECRET:[^}]*\}/, 's'.repeat(32)),
    ]),
  )
}

describe('the image', () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names]) =>
    names!.split(' '),
  )

  test.each(sources)('copies %s, which is there and not ignored', (source) => {
    expect(existsSync(source)).toBe(true)
    expect(ignored).toContain(`!${source.replace('./', '')}`)
  })

  test('copies nothing that holds what is secret or local', () => {
    expect(ignored).toContain('*')
    for (const name of ['.git', 'data', 'node_modules', 'dist', '.env'])
      expect(ignored).not.toContain(`!${name}`)
  })

  test('sets what there is to set, and is ready for more than its own machine', () => {
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(imageEnvironment)))
    expect(readSettings(imageEnvironment)).toMatchObject({
      listensOnLoopback: false,
      dataDir: '/data',
      logLevel: 'info',
      demo: false,
    })
  })

  test('does not run as root, and starts the server without npm in between', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^CMD \["node", "dist\/server\/main\.js"\]$/m)
    expect(dockerfile).toContain('npm ci --ignore-scripts')
  })
})

describe('compose.yaml', () => {
  test.each([
    ['eu', 'EU', 2],
    ['us', 'US', 1],
  ])('starts the region %s with settings that there are', (service, region, ports) => {
    const environment = environmentOf(service)
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(environment)))
    const settings = readSettings({ ...imageEnvironment, ...environment })
    expect(settings.region).toBe(region)
    expect(settings.listeners).toHaveLength(ports)
    expect(settings.listeners.flatMap(({ roles }) => roles)).toHaveLength(8)
    expect(settings.secret).toHaveLength(32)
  })

  test('gives the regions nothing in common, and no later store', () => {
    expect(compose).toContain('eu-data:/data')
    expect(compose).toContain('us-data:/data')
    expect(environmentOf('eu').STORE ?? environmentOf('us').STORE).toBeUndefined()
    expect(compose).toMatch(/redis:\n(?: {4}.*\n)*? {4}profiles: \[redis\]/)
  })
})
