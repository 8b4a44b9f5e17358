import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildEmbedForPages } from '../../../build/client.ts'

test('the embedding scripts are under 4 kB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-embed-'))
  await buildEmbedForPages(folder)
  for (const name of ['embed.js', 'element.js'])
    expect(statSync(join(folder, name)).size, name).toBeLessThan(4000)
  rmSync(folder, { recursive: true })
})
