import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOrders, mutualFolders, upwardImports } from './folder-orders.ts'
import { parseSource, readSource, sourcePaths } from './source-file.ts'

const root = resolve(import.meta.dirname, '../..')
const ordered = Object.keys(folderOrders)
const files = sourcePaths(root)
  .filter((path) => ordered.some((folder) => path.startsWith(`${folder}/`)))
  .map((path) => readSource(root, path))

describe('an ordered folder', () => {
  const orders = { 'server/features/shop': ['endpoints', 'stock', 'stock/memory', 'store'] }
  const upward = (path: string, text: string) =>
    upwardImports([parseSource(`server/features/shop/${path}`, text)], orders)

  test.each([
    ['store/planted.ts', "import { sell } from '../endpoints/sell.ts'"],
    ['store/planted.ts', "import type { Sale } from '#server/features/shop/endpoints/sell.ts'"],
    ['store/planted.ts', "type Sale = import('../endpoints/sell.ts').Sale"],
    ['stock/memory/planted.ts', "import { count } from '../count.ts'"],
    ['store/kernel/planted.ts', "import { count } from '#server/features/shop/stock/count.ts'"],
    ['endpoints/planted.ts', "export { createShop } from '../shop.ts'"],
    ['helpers/planted.ts', ''],
  ])('refuses %s with %s', (path, text) => {
    expect(upward(path, text)).toHaveLength(1)
  })

  test.each([
    ['shop.ts', "import { sell } from './endpoints/sell.ts'"],
    ['endpoints/planted.ts', "import { sell } from './sell.ts'\nimport { put } from '../store/put.ts'"],
    ['stock/planted.ts', "import { count } from './memory/count.ts'"],
    ['store/planted.ts', "import { openKernel } from './kernel/open-kernel.ts'"],
    ['store/planted.ts', "import type { Callers } from '#server/features/callers/callers.ts'"],
  ])('accepts %s with %s', (path, text) => {
    expect(upward(path, text)).toEqual([])
  })

  test('has no two folders that import each other', () => {
    const planted = [
      parseSource('server/features/shop/stock/a.ts', "import { c } from './memory/c.ts'"),
      parseSource('server/features/shop/stock/memory/c.ts', "import type { B } from '../b.ts'"),
      parseSource('server/features/shop/store/d.ts', "import { e } from './e.ts'"),
    ]
    expect(mutualFolders(planted)).toEqual([
      'server/features/shop/stock <-> server/features/shop/stock/memory',
    ])
  })
})

describe('the code', () => {
  test('has no import that runs back up in an ordered folder', () => {
    expect(upwardImports(files)).toEqual([])
  })

  test('has no two folders that import each other in an ordered folder', () => {
    expect(mutualFolders(files)).toEqual([])
  })
})
