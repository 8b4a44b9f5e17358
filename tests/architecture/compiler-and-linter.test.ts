import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** A project with the same folders but one small file in each, so that the real references compile in seconds. */
const rooms = {
  shared: 'shared/room.ts',
  models: 'models/room.ts',
  workers: 'workers/room.ts',
  'workers/web': 'workers/web/room.ts',
  'workers/node': 'workers/node/room.ts',
  'workers/onnx': 'workers/onnx/room.ts',
  web: 'web/room.ts',
  server: 'server/room.ts',
  e2e: 'e2e/room.ts',
  'tests/support': 'tests/support/room.ts',
  lab: 'lab/room.ts',
  build: 'build/room.ts',
  tests: 'tests/room.ts',
} as const
type Room = keyof typeof rooms

const refusedImports: readonly (readonly [from: Room, to: Room])[] = [
  ['shared', 'models'],
  ['shared', 'server'],
  ['models', 'workers'],
  ['models', 'web'],
  ['workers', 'workers/node'],
  ['workers', 'workers/web'],
  ['workers/onnx', 'workers/node'],
  ['workers/web', 'workers/node'],
  ['workers/node', 'workers/web'],
  ['workers/node', 'server'],
  ['web', 'server'],
  ['web', 'workers/web'],
  ['server', 'web'],
  ['server', 'tests'],
  ['server', 'lab'],
  ['models', 'lab'],
  ['tests/support', 'lab'],
  ['lab', 'web'],
  ['lab', 'tests'],
  ['e2e', 'server'],
  ['e2e', 'web'],
  ['e2e', 'models'],
]

const refusedGlobals: readonly (readonly [room: Room, name: string])[] = [
  ['shared', 'document'],
  ['shared', 'process'],
  ['models', 'document'],
  ['models', 'process'],
  ['workers', 'document'],
  ['workers', 'process'],
  ['workers/web', 'process'],
  ['web', 'process'],
  ['server', 'document'],
]

const importFile = (from: Room, to: Room) => `${from}/imports-${to.replace('/', '-')}.ts`
const globalFile = (room: Room, name: string) => `${room}/names-${name}.ts`

function build(folder: string): void {
  for (const path of Object.values(rooms)) write(folder, path, 'export const room = 1\n')
  for (const [from, to] of refusedImports) {
    const up = '../'.repeat(from.split('/').length)
    write(folder, importFile(from, to), `export { room } from '${up}${rooms[to]}'\n`)
  }
  for (const [room, name] of refusedGlobals)
    write(folder, globalFile(room, name), `export const it = ${name}\n`)
  for (const path of ['package.json', 'tsconfig.json', 'tsconfig.base.json']) {
    cpSync(join(root, path), join(folder, path))
  }
  for (const room of Object.keys(rooms)) {
    cpSync(join(root, room, 'tsconfig.json'), join(folder, room, 'tsconfig.json'))
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.'))) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

describe('tsc -b', () => {
  let folder = ''
  let lines: readonly string[] = []

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'selfsame-house-'))
    build(folder)
    const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '-b', '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    })
    lines = stdout.split('\n')
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(refusedImports)('refuses %s what is of %s', (from, to) => {
    const found = lines.filter((line) => line.startsWith(`${importFile(from, to)}(`))
    expect(found.join('\n'), lines.join('\n')).toMatch(/TS6307/)
  })

  test.each(refusedGlobals)('knows in %s no %s', (room, name) => {
    const found = lines.filter((line) => line.startsWith(`${globalFile(room, name)}(`))
    expect(found.join('\n'), lines.join('\n')).toMatch(/TS(2304|2580|2584|2591|2503)/)
  })

  test('accepts the unmodified folders', () => {
    expect(lines.filter((line) => /(^|\/)room\.ts\(/.test(line))).toEqual([])
  })
})

/** For the linter: one file that breaks a rule, and one that follows them all. */
const refusedFiles: readonly (readonly [path: string, text: string, rule: string])[] = [
  ['server/planted.ts', 'export default 1\n', 'noDefaultExport'],
  ['web/planted.tsx', 'const a = 1\nexport { a as default }\n', 'noDefaultExport'],
  ['server/plantedFile.ts', 'export const a = 1\n', 'useFilenamingConvention'],
  ['web/PlantedView.tsx', 'export const a = 1\n', 'useFilenamingConvention'],
  ['server/any.ts', 'export const a: any = 1\n', 'noExplicitAny'],
]
const keptFile = ['vite.config.ts', 'export default {}\n'] as const

describe('the linter', () => {
  let folder = ''
  let lines: readonly string[] = []

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'selfsame-lint-'))
    for (const path of ['biome.json', '.gitignore']) cpSync(join(root, path), join(folder, path))
    for (const [path, text] of [...refusedFiles, keptFile]) write(folder, path, text)
    const linter = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const { stdout } = spawnSync(process.execPath, [linter, 'lint', '--reporter=github', '.'], {
      cwd: folder,
      encoding: 'utf8',
    })
    lines = stdout.split('\n')
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(refusedFiles)('refuses %s with %j', (path, _text, rule) => {
    const found = lines.filter((line) => line.includes(`/${path},`) && line.includes(rule))
    expect(found, lines.join('\n')).toHaveLength(1)
    expect(found[0]).toMatch(/^::error/)
  })

  test('allows a default export in files whose tool requires one', () => {
    expect(lines.filter((line) => line.includes(keptFile[0]))).toEqual([])
  })
})
