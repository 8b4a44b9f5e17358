import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
/** What answers for itself: the programs of others. */
const tools = ['typecheck', 'lint', 'test', 'e2e', 'engines']
const commands = Object.entries(scripts).filter(([name]) => !tools.includes(name))
const tsx = join('node_modules', 'tsx', 'dist', 'cli.mjs')

interface Ending {
  readonly code: number
  readonly told: string
  readonly complained: string
}

/** As npm runs a script: nothing is started or built by the time that it ends. */
function run(script: string, ...words: string[]): Promise<Ending> {
  const [program, ...rest] = script.split(' ')
  const args = [...(program === 'tsx' ? [tsx] : []), ...rest, ...words]
  return new Promise((done) => {
    execFile(process.execPath, args, { env: { PATH: process.env.PATH } }, (error, told, complained) => {
      done({ code: error === null ? 0 : Number(error.code), told, complained })
    })
  })
}

test.each(commands)('npm run %s tells its usage', async (name, script) => {
  const { code, told, complained } = await run(script, '--help')
  expect([code, complained]).toEqual([0, ''])
  expect(told).toContain(name === 'start' ? 'npm start' : `npm run ${name}`)
})

/** Those of the server have words of their own: tests/server/app/command. */
const ours = commands.filter(([, script]) => script.startsWith('tsx '))

test.each(ours)('npm run %s reads its words as all others do', (_, script) => {
  expect(readFileSync(script.slice('tsx '.length), 'utf8')).toContain('readWords(')
})

test.each([
  [scripts.start!, '--no-such-option'],
  [scripts.bench!, '--no-such-option'],
  [scripts.verify!, '--only'],
  [scripts.build!, '--pages=3'],
])('%s %s is refused in one line', async (script, word) => {
  const { code, told, complained } = await run(script, word)
  expect([code, told]).toEqual([2, ''])
  expect(complained.trim().split('\n')).toHaveLength(1)
  expect(complained).toContain(word.split('=')[0])
})

test('a number that is none is refused', async () => {
  const { code, complained } = await run(scripts.fuzz!, '--requests', 'many')
  expect([code, complained]).toEqual([
    2,
    '--requests takes a whole number from 1, not "many". --help tells what there is.\n',
  ])
})

test('a name that there is not is refused with those that there are', async () => {
  const { code, complained } = await run(scripts.torture!, 'cats')
  expect([code, complained]).toEqual([
    2,
    'NAME must be one of store, processes, kiosk, flood, disk, memory, not "cats". --help tells what there is.\n',
  ])
})
