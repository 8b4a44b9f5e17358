import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSettings, settingNames } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings.ts'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
const compose = readFileSync('compose.yaml', 'utf8')

/** What the platform and a library read, and the server does not. */
const ofOthers = ['NODE_ENV', 'ORT_DISABLE_TELEMETRY']

/** Names and values that the image sets for the server. */
const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)]
    .flatMap(([, pairs]) => pairs!.split(' '))
    .map((pair) => pair.split('='))
    .filter(([name]) => !ofOthers.includes(name!)) as [string, string][],
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

  test('keeps the library of the networks silent, whatever is run in it', () => {
    expect(dockerfile.split(/^FROM /m).at(-1)).toMatch(/^ENV .*\bORT_DISABLE_TELEMETRY=1\b/m)
  })

  test('does not run as root, and starts the server without npm in between', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^CMD \["node", "dist\/server\/main\.js"\]$/m)
    expect(dockerfile).toContain('npm ci --ignore-scripts --workspaces=false')
  })

  test('stands on a Node that is supported, which a digest can pin for both stages', () => {
    const [, major] = /^ARG NODE_IMAGE=node:(\d+)-bookworm-slim$/m.exec(dockerfile)!
    expect(['22', '24']).toContain(major)
    expect(dockerfile.match(/^FROM \S+/gm)).toHaveLength(2)
    expect(dockerfile).toMatch(/^FROM \$\{NODE_IMAGE\} AS build$/m)
    expect(dockerfile).toMatch(/^FROM \$\{BASE_IMAGE\}$/m)
    expect(dockerfile).toMatch(/^ARG BASE_IMAGE=debian:bookworm-slim$/m)
    expect(dockerfile).toContain('COPY --from=build /usr/local/bin/node /usr/local/bin/node')
  })
})

describe('ops/compose.two-servers.yaml', () => {
  const two = readFileSync('ops/compose.two-servers.yaml', 'utf8')

  test('starts two servers with settings that there are, on one Redis that keeps every write', () => {
    const [, block = ''] = /environment: &environment\n((?: {4}[A-Z_]+: .*\n)+)/.exec(two)!
    const pairs = [...block.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name, value]) => [
      name!,
      value!
        .replaceAll("'", '')
        .replace(/\$\{PUBLIC_URL:[^}]*\}/, 'https://check.example')
        .replace(/\$\{[A-Z_]+:[^}]*\}/, 's'.repeat(43)),
    ])
    expect(settingNames).toEqual(expect.arrayContaining(pairs.map(([name]) => name)))
    const settings = readSettings({ ...imageEnvironment, ...Object.fromEntries(pairs) })
    expect(settings).toMatchObject({
      storeAddress: 'redis://redis:6379',
      trustedProxies: 1,
      upkeep: {
        drainInMilliseconds: 10_000,
        journalFile: '/journal/journal',
        auditDir: '/journal/audit',
        evidenceDir: '/journal/evidence',
      },
    })
    expect(warningsOf(settings, false).map(({ code }) => code)).toEqual(['store_may_lose', 'store_no_tls'])
    expect(two).toMatch(/appendonly, 'yes', --appendfsync, always/)
    expect(two).toContain('noeviction')
    for (const name of ['one', 'two'])
      expect(two).toMatch(new RegExp(`^  ${name}:\\n    <<: \\*selfsame$`, 'm'))
  })

  test('gives nobody root, a disk to write on or all of the memory', () => {
    for (const part of two
      .split(/^services:$/m)
      .flatMap((half, i) => (i === 0 ? [half] : [half.split('  redis:\n')[1]!]))) {
      for (const rule of [
        'read_only: true',
        'cap_drop: [ALL]',
        'no-new-privileges:true',
        'mem_limit:',
        'pids_limit:',
      ])
        expect(part).toContain(rule)
      expect(part).toMatch(/user: (node|redis)/)
    }
  })

  test('gives a server longer to stop than it takes to drain and to finish', () => {
    const grace = Number(/stop_grace_period: (\d+)s/.exec(two)![1])
    expect(grace).toBeGreaterThanOrEqual(10 + 25 + 3)
  })
})

describe('ops/compose.postgres.yaml', () => {
  const file = readFileSync('ops/compose.postgres.yaml', 'utf8')

  test('starts three servers with settings that there are, on one PostgreSQL that keeps every write', () => {
    const [, block = ''] = /environment: &environment\n((?: {4}[A-Z_]+: .*\n)+)/.exec(file)!
    const pairs = [...block.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name, value]) => [
      name!,
      value!
        .replaceAll("'", '')
        .replace(/\$\{PUBLIC_URL:[^}]*\}/, 'https://check.example')
        .replace(/\$\{[A-Z_]+:[^}]*\}/, 's'.repeat(43)),
    ])
    expect(settingNames).toEqual(expect.arrayContaining(pairs.map(([name]) => name)))
    const settings = readSettings({ ...imageEnvironment, ...Object.fromEntries(pairs) })
    expect(settings.storeAddress).toMatch(/^postgres:\/\/selfsame:s+@postgres\/selfsame$/)
    expect(warningsOf(settings, false).map(({ code }) => code)).toEqual(['store_may_lose', 'store_no_tls'])
    expect(file).toContain('fsync=on, -c, synchronous_commit=on')
    for (const name of ['one', 'two', 'three'])
      expect(file).toMatch(new RegExp(`^  ${name}:\\n    <<: \\*selfsame$`, 'm'))
  })

  test('gives nobody root, a disk to write on or all of the memory', () => {
    for (const part of [file.split(/^services:$/m)[0]!, file.split('  postgres:\n')[1]!]) {
      for (const rule of [
        'read_only: true',
        'cap_drop: [ALL]',
        'no-new-privileges:true',
        'mem_limit:',
        'pids_limit:',
      ])
        expect(part).toContain(rule)
      expect(part).toMatch(/user: (node|postgres)/)
    }
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
