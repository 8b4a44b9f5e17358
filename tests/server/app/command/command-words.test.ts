import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandWords } from '#server/app/command/command-words.ts'
import { readSettings } from '#server/app/settings.ts'
import { startProcess, stillLoading } from '../../../support/programs/server-process.ts'
import { serverProgram } from '../../../support/programs/server-program.ts'

const invite = 'invite NAME --role owner'
const wordsOf = (env: Record<string, string>, origin = 'http://127.0.0.1:8080') =>
  commandWords(readSettings(env), origin, invite)

describe('the command that a start prints', () => {
  it('is short without settings', () => {
    expect(wordsOf({})).toEqual(['npm run account -- invite NAME --role owner'])
    expect(wordsOf({ DATA_DIR: resolve('data') })).toEqual(['npm run account -- invite NAME --role owner'])
  })

  it.each([
    [{ DATA_DIR: 'other' }, 'http://127.0.0.1:8080', `DATA_DIR=${resolve('other')} `],
    [{ DATA_DIR: "/srv/Ada's check" }, 'http://127.0.0.1:8080', "DATA_DIR='/srv/Ada'\\''s check' "],
    [{ PORT: '9090' }, 'http://127.0.0.1:9090', 'PORT=9090 '],
    [{ PORT: '0' }, 'http://127.0.0.1:41234', 'PORT=41234 '],
    [{ REGION: 'US' }, 'http://127.0.0.1:8080', 'REGION=US '],
    [{ HOST: '0.0.0.0' }, 'http://0.0.0.0:8080', 'HOST=0.0.0.0 '],
    [{ STORE: 'redis://127.0.0.1:6379/2' }, 'http://127.0.0.1:8080', 'STORE=redis://127.0.0.1:6379/2 '],
    [{ PUBLIC_URL: 'https://id.example' }, 'https://id.example', 'PUBLIC_URL=https://id.example '],
    [
      { CONFIGURATION_URL: 'https://id.example' },
      'https://id.example',
      'CONFIGURATION_URL=https://id.example ',
    ],
    [
      { DATA_DIR: '/srv/check', REGION: 'US', PORT: '9090' },
      'http://127.0.0.1:9090',
      'DATA_DIR=/srv/check REGION=US PORT=9090 ',
    ],
  ])('names the settings: %j', (env, origin, before) => {
    expect(wordsOf(env, origin)).toEqual([`${before}npm run account -- ${invite}`])
  })

  it('names secrets without revealing them', () => {
    const SECRET = 'never-to-be-printed-'.repeat(2)
    expect(wordsOf({ SECRET })).toEqual([`npm run account -- ${invite}`, 'Set SECRET as for this server.'])
    const STORE = `rediss://someone:${SECRET}@redis.internal:6379`
    const both = wordsOf({ SECRET, STORE })
    expect(both[1]).toBe('Set SECRET and STORE, which contains a password, as for this server.')
    expect(both.join()).not.toContain(SECRET)
  })

  it.each(['postgres://bar@db.internal/selfsame', 'redis://redis.internal:6379'])(
    'repeats an address without a password: %s',
    (STORE) => {
      const [command, ...rest] = wordsOf({ STORE })
      expect(command).toContain(`STORE=${STORE} `)
      expect(rest).toEqual([])
    },
  )
})

it('the command that a start prints creates an invitation when it is pasted into a shell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-words-'))
  const dataDir = join(folder, "Ada's store")
  const server = await startProcess({ ...stillLoading, DATA_DIR: dataDir, REGION: 'US' })
  try {
    const line = server.lines.find((one) => one.startsWith('To get in, run: '))!
    expect(line).toMatch(/ REGION=US PORT=\d+ npm run account -- invite NAME --role owner$/)
    const program = [process.execPath, ...serverProgram('account')].join(' ')
    const pasted = line.replace('To get in, run: ', '').replace('npm run account --', program)
    const printed = execFileSync('/bin/sh', ['-c', pasted], {
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    })
    expect(printed).toContain(`Console: ${server.origins[0]!.replace('127.0.0.1', 'localhost')}/console#`)
  } finally {
    await server.stop('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
})
