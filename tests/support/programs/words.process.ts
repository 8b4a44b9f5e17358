import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/**
 * Reads the words of many commands in one process, as each would read them in its own: from its arguments, before all else.
 * What ends a command, ends its module here, so that whatever it starts or builds after its words would be seen: it throws
 * on, or says something. Arguments: the commands as JSON, each a list of a file and its words; tells what became of each.
 */
interface Ending {
  code: number | null
  told: string
  errors: string
}

/** Thrown where a process would have ended; a command may catch it, and say it, in vain. */
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
  // The same file with other words is another module.
  const { href } = pathToFileURL(file)
  await import(`${href}?words=${encodeURIComponent(words.join(' '))}`).catch((error) => {
    if (error !== ended) ending.errors += inspect(error)
  })
  // Those of the server say how they ended when they have done what was asked.
  if (process.exitCode !== undefined) ending.code ??= Number(process.exitCode)
  return ending
}

const endings: Ending[] = []
for (const command of JSON.parse(process.argv[2]!) as [string, ...string[]][])
  endings.push(await read(command))
process.exitCode = 0
report(JSON.stringify(endings))
