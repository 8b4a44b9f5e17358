import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sentenceForNode } from '../../build/node-version.mjs'
import { checked } from '../../build/old-node.ts'

test.each(['20.19.0', '22.12.0', '24.0.1', '25.3.0'])('Node %s may start', (version) => {
  expect(sentenceForNode(version)).toBeUndefined()
})

test.each(['12.22.12', '18.20.8', '20.18.3'])('Node %s is refused, and the remedy named', (version) => {
  expect(sentenceForNode(version)).toBe(
    `Node ${version} is too old for Selfsame: install Node 22 or 24, and start it with that.`,
  )
})

test.each([
  ['18.20.8', 1, '', 'Node 18.20.8 is too old'],
  [process.versions.node, 0, 'started\n', ''],
])('a built program on Node %s loads the rest only if it may', (version, status, out, err) => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-old-node-'))
  try {
    writeFileSync(join(folder, 'main.mjs'), checked('main.program.mjs'))
    // An old Node would fail to link this file.
    const rest = version === '18.20.8' ? "import { no } from 'node:crypto'" : "console.log('started')"
    writeFileSync(join(folder, 'main.program.mjs'), rest)
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    const words = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`, join(folder, 'main.mjs')]
    const ended = spawnSync(process.execPath, words, { encoding: 'utf8' })
    expect([ended.status, ended.stdout]).toEqual([status, out])
    expect(ended.stderr.startsWith(err)).toBe(true)
    expect(ended.stderr).not.toContain('    at ')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
