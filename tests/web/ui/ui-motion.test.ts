import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'web/ui/style'
/** Properties that browsers can animate without using the page's main thread. */
const composited = ['opacity', 'rotate', 'scale', 'transform', 'translate']
/** Only animated when a person presses a button. */
const pressed = ['background-color']

/** The properties that a style sheet animates through its keyframes and transitions. */
function animatedIn(style: string): string[] {
  const frames = [...style.matchAll(/@keyframes [\w-]+ \{([\s\S]*?)\n\}/g)].flatMap(([, body = '']) => [
    ...body.matchAll(/^\s+([\w-]+):/gm),
  ])
  const transitions = [...style.matchAll(/\btransition:\s*([^;]+);/g)].flatMap(([, list = '']) => [
    ...list.matchAll(/(?:^|,)\s*([\w-]+)/g),
  ])
  return [...frames, ...transitions].map(([, property = '']) => property).filter((name) => name !== 'none')
}

test('the pages of a check animate only what the compositor draws', () => {
  const styles = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  const animated = new Set(styles.flatMap(animatedIn))
  expect(animated).toContain('transform')
  expect([...animated].filter((name) => ![...composited, ...pressed].includes(name))).toEqual([])
})

test('finds every animated property of a style sheet', () => {
  const style = `.bar { transition: inline-size 200ms, opacity 1s; }
@keyframes slide {
  to {
    background-position-x: 100%;
  }
}
`
  expect(animatedIn(style)).toEqual(['background-position-x', 'inline-size', 'opacity'])
})
