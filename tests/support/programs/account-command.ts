import { expect } from 'vitest'
import { accountProgram } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { readSettings } from '#server/app/settings.ts'

/** Runs `npm run account` next to a server that uses this folder, in this process, optionally with more settings. */
export function createAccountCommand(folder: () => string, settings: Readonly<Record<string, string>> = {}) {
  /** Returns the exit code and the output. */
  async function account(...words: string[]) {
    const told: string[] = []
    const errors: string[] = []
    const read = () => readSettings({ DATA_DIR: folder(), ...settings })
    const code = await runCommand(accountProgram, words, read, {
      write: (text) => told.push(text),
      error: (text) => errors.push(text),
      ask: () => Promise.reject(new Error('Nothing is asked here')),
    })
    return { code, told: told.join('\n'), errors: errors.join('\n') }
  }

  /** Returns a successful command's JSON output. */
  async function json(...words: string[]) {
    const { code, told, errors } = await account(...words, '--json')
    expect([code, errors]).toEqual([0, ''])
    return JSON.parse(told)
  }

  return { account, json }
}
