import { describe, expect, test } from 'vitest'
import { roomCircles } from './rooms.ts'
import { parseSource } from './source-file.ts'

function circles(texts: Readonly<Record<string, string>>): string[] {
  return roomCircles(Object.entries(texts).map(([path, text]) => parseSource(path, text)))
}

describe('the rooms of a folder', () => {
  test.each([
    [
      'two folders that import each other',
      {
        'web/shop/till/a.ts': "import { b } from '../stock/b.ts'",
        'web/shop/till/c.ts': '',
        'web/shop/stock/b.ts': "import type { C } from '#web/shop/till/c.ts'",
      },
      ['web/shop: stock, till'],
    ],
    [
      'three folders in a circle',
      {
        'lab/a/a.ts': "import { b } from '../b/b.ts'",
        'lab/b/b.ts': "type C = import('../c/c.ts').C",
        'lab/c/c.ts': "import { d } from '../a/d.ts'",
        'lab/a/d.ts': '',
      },
      ['lab: a, b, c'],
    ],
    [
      'a folder that imports the file above it',
      {
        'models/shop.ts': "import { sell } from './till/sell.ts'",
        'models/till/sell.ts': '',
        'models/till/price.ts': "import type { Shop } from '../shop.ts'",
      },
      ['models: shop.ts, till'],
    ],
  ])('refuses %s', (_what, texts, expected) => {
    expect(circles(texts)).toEqual(expected)
  })

  test('accepts a file between two folders, and a worker that is only started', () => {
    expect(
      circles({
        'server/app/top/a.ts': "import { b } from '../b.ts'",
        'server/app/b.ts': "import { c } from './low/c.ts'",
        'server/app/low/c.ts': "new URL('../top/a.ts', import.meta.url)",
      }),
    ).toEqual([])
  })
})
