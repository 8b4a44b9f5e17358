import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSettings, settingNames } from '#server/app/settings.ts'
import { dockerfile, imageEnvironment } from '../../support/manifests/image.ts'

const ignored = readFileSync('.dockerignore', 'utf8').split('\n')

describe('the image', () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names]) =>
    names!.split(' '),
  )

  test.each(sources)('copies %s, which exists and is not ignored', (source) => {
    expect(existsSync(source)).toBe(true)
    expect(ignored).toContain(`!${source.replace('./', '')}`)
  })

  test('has what the build copies before it builds', () => {
    const [before] = dockerfile.split('RUN npm run build')
    const copied = readFileSync('build/client-package.ts', 'utf8').matchAll(/copyFile\('([^'/]+)/g)
    const names = [...copied].map(([, name]) => name!)
    expect(names.sort()).toEqual(['LICENSE', 'docs'])
    for (const name of names) expect(before).toMatch(new RegExp(`^COPY .*\\b${name}\\b`, 'm'))
  })

  test('copies nothing secret or local', () => {
    expect(ignored).toContain('*')
    for (const name of ['.git', 'data', 'node_modules', 'dist', '.env'])
      expect(ignored).not.toContain(`!${name}`)
    // Compose files in ops/ read the one next to them. A later line wins.
    expect(ignored.lastIndexOf('**/.env')).toBeGreaterThan(
      ignored.findLastIndex((line) => line.startsWith('!')),
    )
  })

  test('sets every setting, and is ready for more than its own machine', () => {
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(imageEnvironment)))
    expect(readSettings(imageEnvironment)).toMatchObject({
      listensOnLoopback: false,
      dataDir: '/data',
      logLevel: 'info',
      demo: false,
    })
  })

  test('silences the library of the networks, whatever runs in it', () => {
    expect(dockerfile.split(/^FROM /m).at(-1)).toMatch(/^ENV .*\bORT_DISABLE_TELEMETRY=1\b/m)
  })

  test('does not run as root, and starts the server without npm in between', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^CMD \["node", "dist\/server\/main\.js"\]$/m)
    expect(dockerfile).toContain('npm ci --ignore-scripts --workspaces=false')
  })

  test('uses a supported Node, which a digest can pin for both stages', () => {
    const [, major] = /^ARG NODE_IMAGE=node:(\d+)-bookworm-slim$/m.exec(dockerfile)!
    expect(['22', '24']).toContain(major)
    expect(dockerfile.match(/^FROM \S+/gm)).toHaveLength(2)
    expect(dockerfile).toMatch(/^FROM \$\{NODE_IMAGE\} AS build$/m)
    expect(dockerfile).toMatch(/^FROM \$\{BASE_IMAGE\}$/m)
    expect(dockerfile).toMatch(/^ARG BASE_IMAGE=debian:bookworm-slim$/m)
    expect(dockerfile).toContain('COPY --from=build /usr/local/bin/node /usr/local/bin/node')
  })
})
