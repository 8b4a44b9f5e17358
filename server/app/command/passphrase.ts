import { readFile } from 'node:fs/promises'
import { type Context, UsageError } from './command.ts'

/** [Note: Ours] It protects a copy of the faces for as long as the copy exists. */
const leastCharacters = 12

type PassphraseSource = Pick<Context, 'text' | 'ask'>

export const passphraseOption = { 'passphrase-file': { type: 'string' } } as const

/**
 * [Note: A passphrase is no word of a command] All of the machine's users can see a command's arguments. So the passphrase
 * is typed at a prompt without an echo, or read from a file's first line.
 */
export async function readPassphrase({ text, ask }: PassphraseSource): Promise<string> {
  const path = text('passphrase-file')
  return path === undefined ? ask('Passphrase: ') : firstLine(path)
}

/** Like `readPassphrase`, but for new files: prompts twice. @throws {UsageError} if it is too short or the entries differ */
export async function choosePassphrase(context: PassphraseSource): Promise<string> {
  const chosen = await readPassphrase(context)
  if (chosen.length < leastCharacters) {
    throw new UsageError(`The passphrase must have ${leastCharacters} characters or more.`)
  }
  const isAsked = context.text('passphrase-file') === undefined
  if (isAsked && (await context.ask('Repeat it: ')) !== chosen) {
    throw new UsageError('The two passphrases differ.')
  }
  return chosen
}

async function firstLine(path: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`The passphrase file ${path} cannot be read.`)
  })
  return content.split(/\r?\n/, 1)[0]!
}
