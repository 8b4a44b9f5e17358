import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { labelOn, readableAccent, type Scheme, surfaces } from '#web/ui/theme/accent.ts'
import { contrastOf } from '#web/ui/theme/contrast.ts'
import { linearOf, oklchOf } from '#web/ui/theme/oklch.ts'

const labels = { light: '#ffffff', dark: '#000000' }
const schemes: Scheme[] = ['light', 'dark']
const tokens = readFileSync(new URL('../../../../web/ui/style/tokens.css', import.meta.url), 'utf8')

function* everyColour(): Iterable<string> {
  const channel = Array.from({ length: 16 }, (_, at) => (at * 17).toString(16).padStart(2, '0'))
  for (const r of channel) for (const g of channel) for (const b of channel) yield `#${r}${g}${b}`
}

const hueOf = (colour: string) => oklchOf(linearOf(colour)).hue

describe('the colour of an account', () => {
  it.each(schemes)('is readable in %s, and so is a label on it, whichever was chosen', (scheme) => {
    const unreadable = [...everyColour()].filter((colour) => {
      const shown = readableAccent(colour, scheme)
      return [...surfaces[scheme], labels[scheme]].some((other) => contrastOf(shown, other) < 4.5)
    })

    expect(unreadable).toEqual([])
  })

  it('can carry a label as it is, black or white, whichever was chosen', () => {
    expect([...everyColour()].filter((colour) => contrastOf(colour, labelOn(colour)) < 4.5)).toEqual([])
    expect([labelOn('#ffcc00'), labelOn('#000080')]).toEqual(['#000000', '#ffffff'])
  })

  it('is unchanged if it is readable', () => {
    expect(readableAccent('#1a6b54', 'light')).toBe('#1a6b54')
    expect(readableAccent('#7fb4ff', 'dark')).toBe('#7fb4ff')
  })

  it('keeps its hue if it is not: a yellow becomes a dark yellow, a navy a light blue', () => {
    const [yellow, navy] = [readableAccent('#ffcc00', 'light'), readableAccent('#000080', 'dark')]

    expect(hueOf(yellow)).toBeCloseTo(hueOf('#ffcc00'), 1)
    expect(hueOf(navy)).toBeCloseTo(hueOf('#000080'), 1)
  })

  it.each(schemes)('is measured against the surfaces and labels of the style sheet (%s)', (scheme) => {
    const dark = tokens.indexOf('@media (prefers-color-scheme: dark)')
    const part =
      scheme === 'light' ? tokens.slice(0, dark) : tokens.slice(dark, tokens.indexOf('[Note: Brighten'))
    const values = ['page', 'surface', 'sunken', 'accent-label'].map(
      (name) => part.match(new RegExp(`--${name}: (#[0-9a-f]{6})`))?.[1],
    )

    expect(values).toEqual([...surfaces[scheme], labels[scheme]])
  })
})
