import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isLater, laterScripts, laterStyles, type PageFile, usesOf } from '../../build/later-features.ts'

const builtPages = 'dist/web'

function builtFiles(ending: string): PageFile[] {
  return readdirSync(builtPages, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ path: name, text: readFileSync(join(builtPages, name), 'utf8') }))
}

test.each([...laterStyles, ...laterScripts])('%s is later than a floor', (_name, _pattern, since) => {
  expect(isLater(since)).toBe(true)
})

describe('refused features', () => {
  test.each([
    ['a.css', ':root{--page:light-dark(#fff,#000)}', ['light-dark()']],
    ['a.css', '.page:has(.keypad){margin:0}', [':has()']],
    ['a.css', '@supports selector(:has(a)){.page:has(.keypad){margin:0}}.page{margin:1px}', []],
    ['a.css', '@supports (color:light-dark(red,red)){a{color:red}}.x:dir(rtl){top:0}', [':dir()']],
    ['a.js', 'let a=b.toSorted((x,y)=>x-y)', ['copies of arrays']],
    ['a.js', 'let a=/[\\p{L}--[a-z]]/v;', ['expressions with v']],
    ['a.js', 'let a=new Map().entries().map(x=>x)', ['iterators']],
    ['a.js', 'let a=[...b].sort(),c=new Set(d).has(e),f=toBase64(g)', []],
  ])('%s: %s', (path, text, found) => {
    const later = path.endsWith('.css') ? laterStyles : laterScripts
    expect(usesOf([{ path, text }], later)).toEqual(found.map((name) => `${path}: ${name}`))
  })
})

describe.skipIf(!existsSync(builtPages))('the built pages', () => {
  test('use only styles that the oldest browsers know', () => {
    expect(usesOf(builtFiles('.css'), laterStyles)).toEqual([])
  })

  test('call no function that the oldest browsers lack', () => {
    expect(usesOf(builtFiles('.js'), laterScripts)).toEqual([])
  })
})
