import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from '#web/ui/copy-text.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A page on which the clipboard and the older command give these answers. Records the selection, and anything left behind. */
function pageWith(clipboard: unknown, command: () => boolean) {
  class Element {
    readonly style = {}
    value = ''
    focused = 0
    readonly closest = () => null
    readonly select = () => void selected.push(this.value)
    readonly remove = () => void fields.delete(this)
    readonly focus = () => void this.focused++
  }
  const selected: string[] = []
  const fields = new Set<Element>()
  const button = new Element()
  vi.stubGlobal('HTMLElement', Element)
  vi.stubGlobal('navigator', { clipboard })
  vi.stubGlobal('document', {
    activeElement: button,
    body: { append: (field: Element) => fields.add(field) },
    createElement: () => new Element(),
    execCommand: command,
  })
  return { selected, fields, button }
}

const refusing = (message: string) => ({
  writeText: () => Promise.reject(new DOMException(message, 'NotAllowedError')),
})
const firefox = refusing('Clipboard write was blocked due to lack of user activation.')
const webkit = refusing(
  'The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.',
)

test('text accepted by the clipboard is copied', async () => {
  const written: string[] = []
  const { selected } = pageWith({ writeText: async (text: string) => void written.push(text) }, () => false)
  expect(await copyText('https://check.example/a')).toBe(true)
  expect([written, selected]).toEqual([['https://check.example/a'], []])
})

test.each([
  ['has no clipboard', undefined],
  ['refuses as Firefox does', firefox],
  ['refuses as WebKit does', webkit],
])('a browser that %s copies the selection, and restores the focus', async (_, clipboard) => {
  const { selected, fields, button } = pageWith(clipboard, () => true)
  expect(await copyText('https://check.example/a')).toBe(true)
  expect(selected).toEqual(['https://check.example/a'])
  expect([fields.size, button.focused]).toEqual([0, 1])
})

test.each([
  ['refuses', () => false],
  [
    'does not know the command',
    () => {
      throw new TypeError('document.execCommand is not a function')
    },
  ],
])('reports no success if the browser %s', async (_, command) => {
  const { fields } = pageWith(undefined, command)
  expect(await copyText('https://check.example/a')).toBe(false)
  expect(fields.size).toBe(0)
})
