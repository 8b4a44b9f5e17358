import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/**
 * Parses the arguments of many commands in one process, the way each command does in its own before anything else. When a
 * command exits, its module ends here. Anything it would start or build after that is noticed, because it throws again or
 * prints something. Arguments: the commands as JSON, each a list with a file and its arguments. Prints what happened to
 * each of them.
 */
interface Ending {
  code: number | null
  told: string
  errors: string
}

/** Thrown instead of exiting. A command that catches and prints this is noticed too. */
const ended = new Error('the command has ended')

let ending: Ending = { code: null, told: '', errors: '' }
const report = process.stdout.write.bind(process.stdout)
process.exit = (code) => {
  ending.code ??= Number(code ?? 0)
  throw ended
}
process.stdout.write = (chunk: unknown) => {
  ending.told += String(chunk)
  return true
}
process.stderr.write = (chunk: unknown) => {
  ending.errors += String(chunk)
  return true
}
console.log = (...words: unknown[]) => {
  ending.told += `${words.map(text).join(' ')}\n`
}
console.error = (...words: unknown[]) => {
  if (words[0] !== ended.message) ending.errors += `${words.map(text).join(' ')}\n`
}

function text(word: unknown): string {
  return typeof word === 'string' ? word : inspect(word)
}

async function read([file, ...words]: readonly [string, ...string[]]): Promise<Ending> {
  ending = { code: null, told: '', errors: '' }
  process.exitCode = undefined
  process.argv = [process.argv[0]!, resolve(file), ...words]
  // With different arguments, the same file counts as another module.
  const { href } = pathToFileURL(file)
  await import(`${href}?words=${encodeURIComponent(words.join(' '))}`).catch((error) => {
    if (error !== ended) ending.errors += inspect(error)
  })
  // Server commands set their exit code when they are done.
  if (process.exitCode !== undefined) ending.code ??= Number(process.exitCode)
  return ending
}

const endings: Ending[] = []
for (const command of JSON.parse(process.argv[2]!) as [string, ...string[]][])
  endings.push(await read(command))
process.exitCode = 0
report(JSON.stringify(endings))
