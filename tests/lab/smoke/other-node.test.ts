import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { otherNodes } from '#lab/smoke/other-node.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const { engines, devDependencies } = JSON.parse(read('package.json'))
const supported = Object.keys(otherNodes)
const [oldest] = supported

test('the tested lines of Node are those declared in package.json', () => {
  const lines = (engines.node as string).split(' || ').map((range) => /^\^(\d+)\./.exec(range)?.[1])
  expect(lines).toEqual(supported)
})

test.each(['vite.config.ts', 'lab/bench/built-sides.ts'])('%s builds for the older one', (file) => {
  expect(read(file).match(/target: 'node\d+'/g)).toEqual([`target: 'node${oldest}'`])
})

test('the types are those of the older one', () => {
  expect(devDependencies['@types/node']).toMatch(new RegExp(`^${oldest}\\.`))
})

test.each(['README.md', 'docs/contribute.md'])('%s asks for them', (file) => {
  expect(read(file)).toContain(`Node.js ${supported.join(' or ')}`)
})

test('npm still installs on an older one, so that an upgrade remains possible', () => {
  expect(read('.npmrc')).not.toContain('engine-strict')
})
