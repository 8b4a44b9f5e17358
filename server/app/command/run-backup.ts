import { parseArgs } from 'node:util'
import { openJournal } from '#server/app/audit-place.ts'
import { createBackup } from '#server/app/backup/create-backup.ts'
import { restoreBackup, verifyBackup } from '#server/app/backup/restore-backup.ts'
import { UsageError } from '#server/app/command/command.ts'
import { choosePassphrase, passphraseOption, readPassphrase } from '#server/app/command/passphrase.ts'
import type { CommandIo } from '#server/app/command/run.ts'
import type { Settings } from '#server/app/settings.ts'
import { verifyJournal } from '#server/platform/store/records/journal.ts'
import type { JournalPlace } from '#server/platform/store/records/journal-place.ts'

const help = `npm run backup -- COMMAND FILE, with the settings of the server.

  create FILE [--passphrase-file FILE]
      Writes the whole store, as of one moment, to a new file; servers may be running. The file is sealed with a
      passphrase of 12 characters or more, and opening it also requires SECRET (or the file "secret" in DATA_DIR).
      It never contains the pictures stored for reviews.
  verify FILE [--journal FILE|ADDRESS] [--passphrase-file FILE]
      Reads a whole backup (and the journal), and checks that it can be restored with these settings. Changes nothing.
  restore FILE [--journal FILE|ADDRESS] [--passphrase-file FILE]
      Restores a backup into an empty store, with no server running; on PostgreSQL with the role that owns the tables.
      Give the journal to repeat later erasures and revocations: the file of JOURNAL_FILE, or the address of the PostgreSQL
      database that has it in rows. All earlier links and tokens become invalid.

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
  /** Access to the command line: `text` returns an option, `ask` prompts without an echo. */
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
        `The backup is complete: ${end.entries} records as of ${shows}.`,
        `Format ${head.format}, written by Selfsame ${head.program}, region ${head.region}.`,
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
          ? 'No journal was given: people erased since the backup and keys revoked since ARE BACK. Erase and revoke them again.'
          : `Erasures and revocations repeated: ${replayed}`,
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

/** Runs `npm run backup` and returns the exit code. */
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
    if (more.length > 0) throw new UsageError('There are too many arguments.')
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
    const message = error instanceof Error ? error.message : String(error)
    if (!(error instanceof UsageError)) {
      io.error(message)
      return exitCodes.refused
    }
    io.error(`${message}\nUsage: npm run backup -- help`)
    return exitCodes.usageError
  }
}

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/ To specify a positional.*/s, ''))
  }
}
