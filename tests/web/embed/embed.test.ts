import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildEmbedForPages } from '../../../build/client.ts'

test('the embedding script is under 3 kB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-embed-'))
  await buildEmbedForPages(folder)
  expect(statSync(join(folder, 'embed.js')).size).toBeLessThan(3000)
  rmSync(folder, { recursive: true })
})
