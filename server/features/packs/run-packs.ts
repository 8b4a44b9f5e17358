import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type PackRecipe, recipeOf } from '#models/rules/pack-recipe.ts'
import { type PackName, packNames } from '#models/rules/packs.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { installPack } from './install-pack.ts'
import { folderOfPack } from './installed-pack.ts'
import { licenceNotice } from './licence-notice.ts'
import { fromFolder, fromPublisher } from './network-source.ts'
import { PackFault } from './pack-fault.ts'
import { linesOfPack, listPacks } from './pack-list.ts'
import { createProgressLines } from './progress-lines.ts'
import { removePack } from './remove-pack.ts'

const help = `npm run packs -- COMMAND, with the settings of the server; it may be running.

  list [--json]
      Lists the packs of networks: whether each ships or is installed, its size, its licences and what it adds.
  install NAME [--from FOLDER] [--accept-licence]
      Fetches the networks of a pack from their publishers, or takes them from a folder, checks their sha256 and
      installs them in PACKS_DIR, or in "packs" in DATA_DIR. Without --accept-licence it only prints the licences.
  remove NAME [--although-pinned]
      Removes a pack that no running server uses and whose models no collection pins.

MODEL_PACK=NAME makes the server use it. Exit codes: 0 done, 1 refused or failed, 2 a usage error.`

const exitCodes = { done: 0, refused: 1, usageError: 2 } as const

/** The command's ports. */
export interface PacksPorts {
  readonly packsDir: string
  readonly outbound: Outbound
  /** How many collections pin a pack's models. @throws if the store is not available */
  readonly countPinned: (pack: PackName) => Promise<number>
  readonly now: () => number
  readonly write: (text: string) => void
  readonly error: (text: string) => void
  /** A pack's recipe; defaults to the product's. */
  readonly recipeOf?: (pack: PackName) => PackRecipe | undefined
}

/** Runs `npm run packs` and returns the exit code. Calls `ports` once the arguments have been validated. */
export async function runPacks(
  words: readonly string[],
  io: Pick<PacksPorts, 'write' | 'error'>,
  ports: () => PacksPorts,
): Promise<number> {
  if (words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
    io.write(help)
    return words.length === 0 ? exitCodes.usageError : exitCodes.done
  }
  try {
    const read = readWords(words)
    return await commands[read.command](read, ports())
  } catch (error) {
    io.error(error instanceof Error ? error.message : String(error))
    return error instanceof UsageError ? exitCodes.usageError : exitCodes.refused
  }
}

class UsageError extends Error {}

interface Words {
  readonly command: keyof typeof commands
  readonly name: string | undefined
  readonly flags: ReturnType<typeof parse>['values']
}

const commands = {
  async list({ flags }: Words, { packsDir, write }: PacksPorts): Promise<number> {
    const packs = await listPacks(packsDir)
    write(flags.json ? JSON.stringify({ packs }, null, 2) : packs.flatMap(linesOfPack).join('\n'))
    return exitCodes.done
  },
  async install({ name, flags }: Words, ports: PacksPorts): Promise<number> {
    const { packsDir, outbound, write, error } = ports
    const { pack, recipe } = installable(name, ports)
    if (!flags['accept-licence']) {
      write(licenceNotice(pack, recipe).join('\n'))
      return exitCodes.refused
    }
    const source = flags.from === undefined ? fromPublisher(outbound) : fromFolder(flags.from)
    const onProgress = createProgressLines(error, ports.now)
    await installPack({ pack, recipe, packsDir, source, onProgress })
    write(`The ${pack} pack is installed in ${packsDir}. MODEL_PACK=${pack} uses it.`)
    return exitCodes.done
  },
  async remove({ name, flags }: Words, ports: PacksPorts): Promise<number> {
    const { packsDir, countPinned, now, write } = ports
    const { pack } = installable(name, ports)
    if (!existsSync(folderOfPack(packsDir, pack))) throw new PackFault(`The ${pack} pack is not installed.`)
    const althoughPinned = flags['although-pinned'] === true
    await removePack({ pack, packsDir, countPinned: () => countPinned(pack), althoughPinned, now })
    write(`The ${pack} pack is removed.`)
    return exitCodes.done
  },
}

/** The named pack, if it can be installed. */
function installable(name: string | undefined, ports: PacksPorts) {
  const pack = packNames.find((known) => known === name)
  if (pack === undefined) {
    const given = name === undefined ? 'NAME is missing.' : `There is no pack "${name}".`
    throw new UsageError(`${given} npm run packs -- list lists the commands.`)
  }
  const recipe = (ports.recipeOf ?? recipeOf)(pack)
  if (recipe === undefined)
    throw new PackFault(`The ${pack} pack ships with the product: there is nothing to install or remove.`)
  return { pack, recipe }
}

/** Each command's options. */
const optionsOf: Readonly<Record<keyof typeof commands, readonly string[]>> = {
  list: ['json'],
  install: ['from', 'accept-licence'],
  remove: ['although-pinned'],
}

function readWords([command, ...rest]: readonly string[]): Words {
  if (command === undefined || !Object.hasOwn(commands, command)) {
    throw new UsageError(`There is no command "${command}". npm run packs -- help lists the commands.`)
  }
  const known = command as keyof typeof commands
  const { values, positionals } = parse(rest)
  const foreign = Object.keys(values).find((option) => !optionsOf[known].includes(option))
  if (foreign !== undefined) throw new UsageError(`${command} does not accept --${foreign}.`)
  if (positionals.length > (known === 'list' ? 0 : 1)) throw new UsageError('There are too many arguments.')
  return { command: known, name: positionals[0], flags: values }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        json: { type: 'boolean' },
        from: { type: 'string' },
        'accept-licence': { type: 'boolean' },
        'although-pinned': { type: 'boolean' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/ To specify a positional.*/s, ''))
  }
}
