import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Words<Of extends Options> = ReturnType<typeof parseArgs<{ options: Of; allowPositionals: true }>>

/**
 * The words of a command. `--help` tells its usage and ends it; what it does not know is refused. Every command reads its
 * words first, so that nothing is started or built by then.
 */
export function readWords<const Of extends Options>(
  usage: string,
  options: Of,
  mostPositionals = 0,
  args: string[] = process.argv.slice(2),
): Words<Of> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    process.exit(0)
  }
  const read = parsed(args, options)
  const extra = read.positionals[mostPositionals]
  return extra === undefined ? read : refuse(`There is a word too many: ${extra}.`)
}

function parsed<const Of extends Options>(args: string[], options: Of): Words<Of> {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [what] = (error as Error).message.split(/\. To |\n/)
    return refuse(`${what!.replace(/\.$/, '')}.`)
  }
}

/** Ends the command because its words are wrong. */
export function refuse(why: string): never {
  console.error(`${why} --help lists the commands.`)
  process.exit(2)
}

/** The number that an option was given. */
export function wholeNumber(option: string, text: string, least = 1): number {
  const isOne = /^\d+$/.test(text) && Number(text) >= least
  return isOne ? Number(text) : refuse(`${option} takes a whole number from ${least}, not "${text}".`)
}

/** The one of some words that was given. */
export function oneOf<const Word extends string>(what: string, words: readonly Word[], given?: string): Word {
  const found = words.find((word) => word === given)
  return found ?? refuse(`${what} must be one of ${words.join(', ')}, not "${given ?? ''}".`)
}

/** Words with commas between, or all of them where none was given. */
export function listOf(all: readonly string[], given?: string): readonly string[] {
  return given?.split(',') ?? all
}
