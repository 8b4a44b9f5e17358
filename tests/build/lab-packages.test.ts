import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { sentenceForPackages } from '../../build/lab-packages.ts'

test('nothing is missing where the tests run', () => {
  expect(sentenceForPackages()).toBeUndefined()
})

test('an installation without the workspace names what is missing, and the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-lab-'))
  try {
    const sentence = sentenceForPackages(pathToFileURL(`${folder}/`))
    expect(sentence).toContain('delaunator')
    expect(sentence).toContain('npm ci --ignore-scripts')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
