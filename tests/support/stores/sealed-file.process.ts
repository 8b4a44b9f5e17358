import { execFileSync } from 'node:child_process'
import { writeSealedFile } from '#server/platform/sealed-files/sealed-file.ts'

/**
 * A process that writes a sealed file: PATH, and what happens after the first chunk. `killed`: it gets a SIGKILL. `full`:
 * its files cannot grow any further, as on a full disk, and it prints why it fails.
 */
const [path = '', fate = ''] = process.argv.slice(2)
const mebibyte = Buffer.alloc(2 ** 20, 'x')
const pid = String(process.pid)

await writeSealedFile(path, 'a passphrase of some length', async (chunk) => {
  await chunk(mebibyte)
  if (fate === 'killed') process.kill(process.pid, 'SIGKILL')
  if (fate === 'full') execFileSync('prlimit', ['--pid', pid, `--fsize=${1.5 * 2 ** 20}:unlimited`])
  await chunk(mebibyte)
  return mebibyte
}).catch((error: Error) => process.stdout.write(error.message))
