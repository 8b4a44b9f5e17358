import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sourcesOfBuild } from '../../build/source-hash.ts'
import viteConfig from '../../vite.config.ts'
import { readSource } from './source-file.ts'

const root = resolve(import.meta.dirname, '../..')
const shipped = /^(shared|models|workers|web|server)\//

/** Everything that a program loads: its imports, and the workers it starts. */
function reachedFrom(entries: readonly string[]): string[] {
  const reached = new Set(entries)
  for (const path of reached) {
    if (!/\.tsx?$/.test(path)) continue
    for (const { target, isPackage, isType, isAddress } of readSource(root, path).imports) {
      if (!isPackage && (!isType || isAddress)) reached.add(target)
    }
  }
  return [...reached]
}

/** A page's first script. */
function entryOf(page: string): string {
  const document = readFileSync(join(root, 'web', page), 'utf8')
  const [, entry] = /<script type="module" src="\.\/([^"]+)"/.exec(document)!
  return `web/${entry}`
}

/** The entries in vite's own input, the pages' input, and the files that are bundled separately. */
function entriesOfBuild(): string[] {
  const { build } = viteConfig({ command: 'build', mode: 'production', isSsrBuild: true }) as {
    build: { rollupOptions: { input: Record<string, string> } }
  }
  const pages = [
    'index.html',
    'kiosk.html',
    'check-device.html',
    'playground.html',
    'console.html',
    'console-preview.html',
  ].map(entryOf)
  const workers = ['service', 'leaving'].map((name) => `workers/web/${name}.worker.ts`)
  const bundles = ['shared/client/client.ts', 'web/embed/embed.ts']
  return [...Object.values(build.rollupOptions.input), ...pages, ...workers, ...bundles]
}

test('no file of lab, tests or e2e is shipped', () => {
  const reached = reachedFrom(entriesOfBuild())
  expect(reached.filter((path) => !shipped.test(path))).toEqual([])
  expect(reached).toEqual(
    expect.arrayContaining(['models/pipeline/pipeline.ts', 'workers/web/analysis.worker.ts']),
  )
})

test('a program that imported lab would be noticed', () => {
  expect(reachedFrom(['lab/evaluate/evaluate.ts'])).toContain('lab/evaluate/tasks.ts')
})

test('a change to the lab or the tests does not make the build stale', async () => {
  const folders = new Set((await sourcesOfBuild()).map((path) => path.split(/[\\/]/)[0]))
  expect([...folders].filter((folder) => ['lab', 'tests', 'e2e', 'docs'].includes(folder!))).toEqual([])
  expect(folders).toContain('models')
})

/** Ways to replace the camera picture: drawn people, messages from other windows, other cameras. */
const hooks = /'stand-in'|standIn|['"]message['"]|onmessage|captureStream|srcObject\s*=(?!=)|getUserMedia\(/g

test('the capture page has no hook for a camera', () => {
  const reached = reachedFrom([entryOf('index.html')]).filter((path) =>
    /^(web|shared|models)\/.*\.tsx?$/.test(path),
  )
  expect(
    reached.filter((path) => path.startsWith('web/preview/') || path.startsWith('web/console/')),
  ).toEqual([])
  const camera = 'web/capture/analysis/camera/camera.ts'
  const found = reached.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(hooks)].map(([hook]) => `${path}: ${hook}`),
  )
  expect(found.sort()).toEqual([
    ...Array(2).fill(`${camera}: getUserMedia(`),
    ...Array(2).fill(`${camera}: srcObject =`),
  ])
  const preview = reachedFrom([entryOf('console-preview.html')])
  expect(preview).toContain('web/preview/preview-face.ts')
  expect(preview).not.toContain(camera)
})
