import '../long-alone.ts'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { isLong, some } from '../../e2e/support/length.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
/** Scripts that belong to other programs, which print their own usage. */
const tools = ['typecheck', 'lint', 'test', 'e2e', 'engines']
const commands = Object.entries(scripts).filter(([name]) => !tools.includes(name))
const tsx = join('node_modules', 'tsx', 'dist', 'cli.mjs')

interface Ending {
  readonly code: number
  readonly told: string
  readonly errors: string
}

/** Runs a script the way npm does. Nothing may be started or built by the time it ends. */
function run(script: string, ...words: string[]): Promise<Ending> {
  const [program, ...rest] = script.split(' ')
  const args = [...(program === 'tsx' ? [tsx] : []), ...rest, ...words]
  return new Promise((done) => {
    execFile(process.execPath, args, { env: { PATH: process.env.PATH } }, (error, told, errors) => {
      done({ code: error === null ? 0 : Number(error.code), told, errors })
    })
  })
}

/** The server's commands have their own tests in tests/server/app/command. */
const ours = commands.filter(([, script]) => script.startsWith('tsx '))
/** Some load lab/need-packages.ts first. */
const fileOf = (script: string) => script.split(' ').at(-1)!

test.each(ours)('npm run %s parses its arguments like all others', (_, script) => {
  expect(readFileSync(fileOf(script), 'utf8')).toContain('readWords(')
})

/** The server's programs, each with the file that build/start.mjs starts. */
const start = readFileSync('build/start.mjs', 'utf8')
const ofServer = commands
  .filter(([, script]) => !script.startsWith('tsx '))
  .map(([name, script]) => {
    const [, program] = /^node build\/start\.mjs (\w+)$/.exec(script) ?? []
    const [, file] = new RegExp(`^  ${program}: '(.+)',$`, 'm').exec(start) ?? []
    return [name, file ?? 'is started by no file'] as const
  })

/** Scripts that the short form also calls with other arguments. The long form tries them all, each of which takes a second to load. */
const loaded = ['build', 'verify', 'bench', 'fuzz', 'torture']
const tried = ours.filter(([name]) => isLong || loaded.includes(name))
const triedOfServer = some(ofServer, 2)

/** Runs the calls of all commands in one process, because each takes seconds to load. */
const asked: readonly (readonly [script: string, ...words: string[]])[] = [
  ...tried.map(([, script]) => [script, '--help'] as const),
  ...triedOfServer.map(([, file]) => [`tsx ${file}`, '--help'] as const),
  [scripts.bench!, '--no-such-option'],
  [scripts.verify!, '--only'],
  [scripts.build!, '--pages=3'],
  [scripts.fuzz!, '--requests', 'many'],
  [scripts.torture!, 'cats'],
]

describe('the commands', () => {
  const endings = new Map<string, Ending>()
  const endingOf = (...words: string[]) => endings.get(words.join(' '))!

  beforeAll(async () => {
    const words = asked.map(([script, ...rest]) => [fileOf(script), ...rest])
    const { code, told, errors } = await run(
      'tsx tests/support/programs/words.process.ts',
      JSON.stringify(words),
    )
    expect([code, errors]).toEqual([0, ''])
    const found = JSON.parse(told) as Ending[]
    for (const [index, one] of asked.entries()) endings.set(one.join(' '), found[index]!)
  })

  test.each(tried)('npm run %s prints its usage', (name, script) => {
    expectUsage(endingOf(script, '--help'), name)
  })

  test.each(triedOfServer)('npm run %s prints the usage of %s', (name, file) => {
    expectUsage(endingOf(`tsx ${file}`, '--help'), name)
  })

  test.each([
    [scripts.bench!, '--no-such-option'],
    [scripts.verify!, '--only'],
    [scripts.build!, '--pages=3'],
  ])('%s %s is refused in one line', (script, word) => {
    expectRefused(endingOf(script, word), word)
  })

  test('an invalid number is refused', () => {
    const { code, errors } = endingOf(scripts.fuzz!, '--requests', 'many')
    expect([code, errors]).toEqual([
      2,
      '--requests takes a whole number from 1, not "many". --help lists the commands.\n',
    ])
  })

  test('an unknown name is refused with a list of the known ones', () => {
    const { code, errors } = endingOf(scripts.torture!, 'cats')
    expect([code, errors]).toEqual([
      2,
      'NAME must be one of store, processes, postgres, rolling, kiosk, flood, early, disk, memory, openid, visits, not "cats". --help lists the commands.\n',
    ])
  })
})

function expectUsage({ code, told, errors }: Ending, name: string): void {
  expect([code, errors]).toEqual([0, ''])
  expect(told).toContain(name === 'start' ? 'npm start' : `npm run ${name}`)
}

function expectRefused({ code, told, errors }: Ending, word: string): void {
  expect([code, told]).toEqual([2, ''])
  expect(errors.trim().split('\n')).toHaveLength(1)
  expect(errors).toContain(word.split('=')[0])
}

describe('a script run by npm', () => {
  /** One project script, the server, and one of its commands. All others are started the same way. */
  const names = some(['fuzz', 'start', 'account'], 2)
  const whole = commands.filter(([name]) => names.includes(name))

  test.each(whole)('npm run %s prints its usage', async (name, script) => {
    expectUsage(await run(script, '--help'), name)
  })

  const refused = [
    [scripts.start!, '--no-such-option'],
    [scripts.fuzz!, '--no-such-option'],
  ] as const
  test.each(some(refused))('%s %s is refused in one line', async (script, word) => {
    expectRefused(await run(script, word), word)
  })
})
