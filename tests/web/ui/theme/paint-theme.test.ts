import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { themeFonts, themeModes } from '#shared/contract/sessions/theme.ts'
import { paintTheme, type Theme } from '#web/ui/theme/paint-theme.ts'

const style = new URL('../../../../web/ui/style/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, style), 'utf8')

/** The properties that were painted on a root element. */
function painted(...themes: (Theme | null)[]) {
  const properties: Record<string, string> = {}
  const attributes: Record<string, string> = {}
  const root = {
    style: {
      setProperty: (name: string, value: string) => {
        properties[name] = value
      },
      removeProperty: (name: string) => delete properties[name],
    },
    setAttribute: (name: string, value: string) => {
      attributes[name] = value
    },
    removeAttribute: (name: string) => delete attributes[name],
  }
  for (const theme of themes) paintTheme(root as unknown as HTMLElement, theme)
  return { properties, attributes }
}

const plain: Theme = { accentColour: null }
const full: Theme = { accentColour: '#1a6b54', radius: 0, font: 'serif', mode: 'dark' }

describe('the theme of an account', () => {
  test('is on the page: colour, corners, font and mode', () => {
    expect(painted(full)).toEqual({
      properties: {
        '--account-on-light': '#1a6b54',
        '--account-on-dark': expect.any(String),
        '--account-fill': '#1a6b54',
        '--account-fill-label': '#ffffff',
        '--account-radius': '0px',
      },
      attributes: { 'data-font': 'serif', 'data-mode': 'dark' },
    })
  })

  test.each([
    ['no theme', null],
    ['an empty one', plain],
    ['the mode of the device', { ...plain, mode: 'auto' as const }],
  ])('leaves nothing behind: %s', (_name, theme) =>
    expect(painted(full, theme)).toEqual({ properties: {}, attributes: {} }),
  )
})

describe('the styles', () => {
  test('know every font and both modes', () => {
    const tokens = read('tokens.css')
    for (const font of themeFonts.filter((name) => name !== 'system'))
      expect(tokens, font).toContain(`:root[data-font="${font}"]`)
    for (const mode of themeModes.filter((name) => name !== 'auto'))
      expect(tokens, mode).toContain(`:root[data-mode="${mode}"]`)
  })

  test.each(['tokens.css', 'modes.css'])('are as dark by choice as by the device: %s', (file) => {
    const text = read(file)
    const block = /@media \(prefers-color-scheme: dark\) \{\n([\s\S]*?)\n\}\n/.exec(text)![1]!
    const byDevice = [...block.matchAll(/^ {4}(\S.*;)$/gm)].map(([, line]) => line)
    const chosen = text.split('[data-mode="dark"]:not').slice(1)
    const byChoice = chosen.flatMap((part) =>
      [...part.slice(0, part.indexOf('}')).matchAll(/^ {2}(\S.*;)$/gm)].map(([, line]) => line),
    )
    expect(byChoice.filter((line) => line !== 'color-scheme: dark;')).toEqual(byDevice)
    expect(byDevice.length).toBeGreaterThan(3)
  })

  test('round every corner by the theme, except for circles and bars', () => {
    for (const file of ['controls', 'words', 'kiosk', 'shell', 'capture', 'handoff']) {
      const radii = [...read(`${file}.css`).matchAll(/border-radius: ([^;]+);/g)].map(([, value]) => value)
      expect(
        radii.filter(
          (value) => !/^(var\(--(card|sheet|pill|small|account-radius, 12px)\)|50%|4px)$/.test(value!),
        ),
      ).toEqual([])
    }
  })
})
