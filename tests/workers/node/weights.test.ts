import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { readWeights } from '#workers/node/weights.ts'
import manifest from '../../../models/weights/manifest.json' with { type: 'json' }

const names = Object.keys(manifest.models) as (keyof typeof manifest.models)[]

describe('readWeights', () => {
  test.each(names)('gives the bytes of %s that the manifest states', async (name) => {
    const bytes = await readWeights(name)
    expect(bytes.length).toBe(manifest.models[name].bytes)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(manifest.models[name].sha256)
  })

  test('refuses altered weights', async () => {
    vi.resetModules()
    vi.doMock('#models/networks/manifest.ts', () => ({
      modelOf: () => ({ ...manifest.models['fr-eye'], sha256: '0'.repeat(64) }),
    }))
    const { readWeights: read } = await import('#workers/node/weights.ts')
    await expect(read('fr-eye')).rejects.toThrow(/fr-eye\.onnx does not have the manifest's sha256: restore/)
    vi.doUnmock('#models/networks/manifest.ts')
  })

  test('names a file that is missing, and the remedy', async () => {
    vi.resetModules()
    vi.doMock('#models/networks/manifest.ts', () => ({
      modelOf: () => ({ ...manifest.models['fr-eye'], file: 'gone.onnx' }),
    }))
    const { readWeights: read } = await import('#workers/node/weights.ts')
    await expect(read('fr-eye')).rejects.toThrow('models/weights/gone.onnx is missing: restore it')
    vi.doUnmock('#models/networks/manifest.ts')
  })
})
