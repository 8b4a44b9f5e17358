import { parseArgs } from 'node:util'
import { openJournal } from '#server/app/audit-place.ts'
import { UsageError } from '#server/app/command/command.ts'
import { choosePassphrase, passphraseOption, readPassphrase } from '#server/app/command/passphrase.ts'
import type { CommandIo } from '#server/app/command/run.ts'
import type { Settings } from '#server/app/settings.ts'
import { verifyJournal } from '#server/platform/store/records/journal.ts'
import type { JournalPlace } from '#server/platform/store/records/journal-place.ts'
import { createBackup } from './create-backup.ts'
import { restoreBackup, verifyBackup } from './restore-backup.ts'

const help = `npm run backup -- COMMAND FILE, with the settings of the server.

  create FILE [--passphrase-file FILE]
      Writes the whole store to a new file, as it is at one moment; servers may be running. The file is sealed with a
      passphrase of 12 characters or more, and opens only where SECRET (or the file "secret" in DATA_DIR) is there too.
      Pictures that are kept for reviews are never in it.
  verify FILE [--journal FILE|ADDRESS] [--passphrase-file FILE]
      Reads a backup to its end (and the journal), and sees that it can be restored with these settings. Changes nothing.
  restore FILE [--journal FILE|ADDRESS] [--passphrase-file FILE]
      Puts a backup into an empty store, while no server runs; on PostgreSQL with the role that owns the tables. The journal,
      the file of JOURNAL_FILE or the address of the PostgreSQL database that has it in rows, tells what was erased and
      revoked since: it is done again. Every link and token of before ends.

Every command takes --json. Exit codes: 0 done, 1 refused or failed, 2 a usage error.`

const exitCodes = { done: 0, refused: 1, usageError: 2 } as const
const options = {
  ...passphraseOption,
  journal: { type: 'string' },
  json: { type: 'boolean' },
} as const

interface Words {
  readonly path: string
  readonly journal: string | undefined
  readonly settings: Settings
  /** As the command line has it: `text` answers an option, `ask` asks unseen. */
  readonly given: Parameters<typeof choosePassphrase>[0]
}

interface Answer {
  readonly result: object
  readonly lines: readonly string[]
}

const commands: Readonly<Record<string, (words: Words) => Promise<Answer>>> = {
  async create({ path, settings, given }) {
    const { entries, takenAt } = await createBackup(settings, path, await choosePassphrase(given))
    const shows = new Date(takenAt).toISOString()
    const secret = settings.secret === undefined ? 'the file "secret" in DATA_DIR' : 'SECRET'
    return {
      result: { file: path, entries, takenAt: shows },
      lines: [
        `Records written to ${path}: ${entries}`,
        `It shows ${shows}.`,
        `Keep ${secret} too: the backup cannot be opened without it.`,
        'Pictures kept for reviews are not included.',
      ],
    }
  },
  async verify({ path, settings, given, journal }) {
    const { head, end, keyRing } = await verifyBackup(settings, path, await readPassphrase(given))
    await withJournal(journal, settings, async (place) => place && verifyJournal(place, keyRing))
    const shows = new Date(end.takenAt).toISOString()
    return {
      result: { ...head, entries: end.entries, takenAt: shows },
      lines: [
        `The backup is whole: ${end.entries} records of ${shows}.`,
        `Format ${head.format}, made by Selfsame ${head.program}, region ${head.region}.`,
      ],
    }
  },
  async restore({ path, settings, given, journal }) {
    const passphrase = await readPassphrase(given)
    const restored = await withJournal(journal, settings, (place) =>
      restoreBackup(settings, path, passphrase, place),
    )
    const { entries, takenAt, replayed } = restored
    const shows = new Date(takenAt).toISOString()
    return {
      result: { entries, takenAt: shows, replayed },
      lines: [
        `Records restored: ${entries}, as of ${shows}.`,
        journal === undefined
          ? 'No journal was given: who was erased since, and keys that were revoked since, ARE BACK. Erase and revoke them again.'
          : `Erasures and revocations done again: ${replayed}`,
        'Earlier links and tokens are no longer valid.',
      ],
    }
  },
}

/** Opens the journal that the command names, if any, for as long as `work` takes. */
async function withJournal<T>(
  named: string | undefined,
  settings: Settings,
  work: (place: JournalPlace | undefined) => Promise<T>,
): Promise<T> {
  if (named === undefined) return work(undefined)
  const { place, close } = await openJournal(named, settings)
  try {
    return await work(place)
  } finally {
    await close()
  }
}

/** Runs `npm run backup`. Answers the exit code. */
export async function runBackup(
  words: readonly string[],
  settings: () => Settings,
  io: CommandIo,
): Promise<number> {
  if (words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
    io.write(help)
    return words.length === 0 ? exitCodes.usageError : exitCodes.done
  }
  try {
    const { values, positionals } = read(words)
    const [name = '', path, ...more] = positionals
    const command = commands[name]
    if (command === undefined) throw new UsageError(`There is no command "${name}".`)
    if (path === undefined) throw new UsageError('FILE is missing.')
    if (more.length > 0) throw new UsageError('There is one argument too many.')
    const text = (option: string) => values[option as 'passphrase-file']
    const { result, lines } = await command({
      path,
      journal: values.journal,
      settings: settings(),
      given: { text, ask: io.ask },
    })
    io.write(values.json === true ? JSON.stringify(result, null, 2) : lines.join('\n'))
    return exitCodes.done
  } catch (error) {
    io.error(error instanceof Error ? error.message : String(error))
    return error instanceof UsageError ? exitCodes.usageError : exitCodes.refused
  }
}

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/ To specify a positional.*/s, ''))
  }
}
