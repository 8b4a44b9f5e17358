import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { createJournal, readJournal } from '#server/platform/store/records/journal.ts'
import { journalFile } from '#server/platform/store/records/journal-file.ts'
import { removalOf } from '#server/platform/store/store.ts'

/** A process that cannot grow files beyond a certain size, as on a full disk: JOURNAL. Prints what its writes did. */
const [path = ''] = process.argv.slice(2)
const room = 150
const limitFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`])

const keyRing = createKeyRing(Buffer.alloc(32, 5), 'EU')
const journal = createJournal([journalFile(path)], keyRing, () => 2000)
const note = (key: string) =>
  journal.note([removalOf(key)], () => Buffer.alloc(0)).catch((error: Error) => error.message)

limitFiles(statSync(path).size + room)
const refused = await note(`face/${'x'.repeat(room)}`)
const again = await note('face/no-room')
limitFiles('unlimited')
await note('face/there-is-room')
const entries = await allOf(readJournal(journalFile(path), keyRing, 0))
process.stdout.write(JSON.stringify({ refused, again, read: entries.length, last: entries.at(-1)?.key }))
