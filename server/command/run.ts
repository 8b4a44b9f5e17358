import { parseArgs } from 'node:util'
import type { Settings } from '#server/settings.ts'
import { Problem } from '#shared/problem.ts'
import { type Command, UsageFault } from './command.ts'
import { commands } from './commands.ts'
import { createContext } from './context.ts'
import { openAdministration } from './opening.ts'

/** Where a command's words go. */
export interface Voice {
  tell(text: string): void
  complain(text: string): void
}

const done = 0
const refused = 1
const misspelt = 2

/** Runs one command. Answers the exit code: 0 done, 1 refused or failed, 2 misspelt. */
export async function runCommand(
  words: readonly string[],
  settings: () => Settings,
  voice: Voice,
): Promise<number> {
  const [name, ...rest] = words
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    voice.tell(help())
    return name === undefined ? misspelt : done
  }
  const command = commands[name]
  try {
    if (command === undefined) throw new UsageFault(`There is no command "${name}".`)
    return await perform(name, command, rest, settings(), voice)
  } catch (error) {
    voice.complain(wordsOf(error, name, command))
    return error instanceof UsageFault || isInvalid(error) ? misspelt : refused
  }
}

async function perform(
  name: string,
  command: Command,
  words: readonly string[],
  settings: Settings,
  voice: Voice,
): Promise<number> {
  const { values, positionals } = readWords(command, words)
  const opened = await openAdministration(settings, name === 'create')
  try {
    const context = createContext(opened, values, positionals)
    const { result, lines, failed = false } = await command.run(context)
    voice.tell(values.json === true ? JSON.stringify(result, null, 2) : lines.join('\n'))
    return failed ? refused : done
  } finally {
    await opened.close()
  }
}

function readWords(command: Command, words: readonly string[]) {
  const options = { ...command.options, account: { type: 'string' }, json: { type: 'boolean' } } as const
  const read = parse(() => parseArgs({ args: [...words], options, allowPositionals: true, strict: true }))
  const expected = command.subject === undefined ? 0 : 1
  if (read.positionals.length !== expected) {
    throw new UsageFault(expected === 1 ? `${command.subject} is missing.` : 'There is a word too many.')
  }
  return read as { values: Record<string, string | boolean | undefined>; positionals: string[] }
}

function parse<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageFault((error as Error).message.replace(/ To specify a positional.*/s, ''))
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof Problem && error.status === 400
}

function wordsOf(error: unknown, name: string, command: Command | undefined): string {
  if (error instanceof Problem) {
    const faults = error.errors.map(
      ({ pointer, message }) => `  ${pointer.replace(/^#\/(query\/)?/, '')}: ${message}`,
    )
    return faults.length === 0 ? error.message : ['Not accepted:', ...faults].join('\n')
  }
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof UsageFault)) return message
  return `${message}\nUsage: npm run account -- ${command === undefined ? 'help' : usageOf(name, command)}`
}

function help(): string {
  const lines = Object.entries(commands).flatMap(([name, command]) => [
    `  ${usageOf(name, command)}`,
    `      ${command.summary}`,
  ])
  return [
    'npm run account -- COMMAND, with the settings of the server; it may be running.',
    '',
    ...lines,
    '',
    'Every command takes --json. --account takes an id or a name; with one account it may be left out.',
    'Exit codes: 0 done, 1 refused or failed, 2 misspelt.',
  ].join('\n')
}

function usageOf(name: string, { subject, options = {} }: Command): string {
  const names = Object.entries(options).map(([option, { type }]) =>
    type === 'boolean' ? `[--${option}]` : `[--${option} …]`,
  )
  return [name, ...(subject === undefined ? [] : [subject]), ...names].join(' ')
}
