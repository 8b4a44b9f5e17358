import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Words<Of extends Options> = ReturnType<typeof parseArgs<{ options: Of; allowPositionals: true }>>

/**
 * Parses the arguments of a command. `--help` prints the usage and exits; unknown arguments are an error. Commands call this
 * first, so that nothing has been started or built yet.
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
  return extra === undefined ? read : refuse(`Unexpected argument: ${extra}.`)
}

function parsed<const Of extends Options>(args: string[], options: Of): Words<Of> {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [what] = (error as Error).message.split(/\. To |\n/)
    return refuse(`${what!.replace(/\.$/, '')}.`)
  }
}

/** Exits with an error about wrong arguments. */
export function refuse(why: string): never {
  console.error(`${why} --help lists the commands.`)
  process.exit(2)
}

/** Parses the number of an option. */
export function wholeNumber(option: string, text: string, least = 1): number {
  const isOne = /^\d+$/.test(text) && Number(text) >= least
  return isOne ? Number(text) : refuse(`${option} takes a whole number from ${least}, not "${text}".`)
}

/** Parses an option with a fixed set of values. */
export function oneOf<const Word extends string>(what: string, words: readonly Word[], given?: string): Word {
  const found = words.find((word) => word === given)
  return found ?? refuse(`${what} must be one of ${words.join(', ')}, not "${given ?? ''}".`)
}

/** Splits a comma-separated list; returns `all` if it is absent. */
export function listOf(all: readonly string[], given?: string): readonly string[] {
  return given?.split(',') ?? all
}
