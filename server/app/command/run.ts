import { parseArgs } from 'node:util'
import { openServices } from '#server/app/opening.ts'
import type { Settings } from '#server/app/settings.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import { Problem } from '#shared/problem.ts'
import { type Command, UsageError } from './command.ts'
import { createContext } from './context.ts'
import type { Program } from './programs.ts'

/** A command's outputs and prompts. */
export interface CommandIo {
  write(text: string): void
  /** Writes to standard error. */
  error(text: string): void
  /** Starts an analysis service, if the program can. */
  startAnalysis?(settings: Settings): AnalysisService
  /** Prompts without an echo. @throws {UsageError} if there is no terminal */
  ask(question: string): Promise<string>
}

const done = 0
const refused = 1
const usageError = 2

/** Runs one of a program's commands. Returns the exit code: 0 done, 1 refused or failed, 2 usage error. */
export async function runCommand(
  program: Program,
  words: readonly string[],
  settings: () => Settings,
  io: CommandIo,
): Promise<number> {
  const [name, ...rest] = words
  if (name === undefined || ['help', '-h'].includes(name) || words.includes('--help')) {
    io.write(help(program))
    return name === undefined ? usageError : done
  }
  const command = program.commands[name]
  try {
    if (command === undefined) throw new UsageError(`There is no command "${name}".`)
    return await perform(command, rest, settings(), io)
  } catch (error) {
    io.error(wordsOf(error, program, name))
    return error instanceof UsageError || isInvalid(error) ? usageError : refused
  }
}

async function perform(
  command: Command,
  words: readonly string[],
  settings: Settings,
  io: CommandIo,
): Promise<number> {
  const read = readWords(command, words)
  const opened = await openServices(settings, read.values['new-store'] === true)
  try {
    const context = createContext(opened, read, {
      ask: io.ask,
      progress: io.error,
      startAnalysis() {
        if (io.startAnalysis === undefined) throw new UsageError('This command cannot analyse pictures.')
        return io.startAnalysis(settings)
      },
    })
    const { result, lines, failed = false } = await command.run(context)
    io.write(read.values.json === true ? JSON.stringify(result, null, 2) : lines.join('\n'))
    return failed ? refused : done
  } finally {
    await opened.close()
  }
}

function readWords(command: Command, words: readonly string[]) {
  const options = {
    mode: { type: 'string' },
    ...command.options,
    account: { type: 'string' },
    json: { type: 'boolean' },
  } as const
  const read = parse(() => parseArgs({ args: [...words], options, allowPositionals: true, strict: true }))
  const expected = command.subject === undefined ? 0 : 1
  if (command.several !== true && read.positionals.length !== expected) {
    throw new UsageError(expected === 1 ? `${command.subject} is missing.` : 'There are too many arguments.')
  }
  const { values, positionals } = read as {
    values: Record<string, string | boolean | undefined>
    positionals: string[]
  }
  return { values, positionals, isTest: isOfTest(command, values.mode) }
}

/** Commands that give the option their own meaning, such as create-key, handle it themselves. */
function isOfTest({ options = {} }: Command, mode: unknown): boolean {
  if (mode === undefined || 'mode' in options) return false
  if (mode !== 'test' && mode !== 'live') throw new UsageError('--mode must be test or live.')
  return mode === 'test'
}

function parse<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/ To specify a positional.*/s, ''))
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof Problem && error.status === 400
}

function wordsOf(error: unknown, program: Program, name: string): string {
  if (error instanceof Problem) {
    const faults = error.errors.map(
      ({ pointer, message }) => `  ${pointer.replace(/^#\/(query\/)?/, '')}: ${message}`,
    )
    return faults.length === 0 ? error.message : ['Not accepted:', ...faults].join('\n')
  }
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof UsageError)) return message
  const command = program.commands[name]
  return `${message}\nUsage: npm run ${program.name} -- ${command === undefined ? 'help' : usageOf(name, command)}`
}

function help(program: Program): string {
  const lines = Object.entries(program.commands).flatMap(([name, command]) => [
    `  ${usageOf(name, command)}`,
    `      ${command.summary}`,
  ])
  return [
    `npm run ${program.name} -- COMMAND, with the settings of the server, which may be running.`,
    '',
    ...lines,
    '',
    'Every command takes --json. --account takes an id or a name, and is not needed if there is only one account.',
    '--mode test selects its test account.',
    'Exit codes: 0 done, 1 refused or failed, 2 a usage error.',
  ].join('\n')
}

function usageOf(name: string, { subject, several, options = {} }: Command): string {
  const names = Object.entries(options).map(([option, { type }]) =>
    type === 'boolean' ? `[--${option}]` : `[--${option} …]`,
  )
  return [name, ...(subject === undefined ? [] : [several ? `[${subject} …]` : subject]), ...names].join(' ')
}
