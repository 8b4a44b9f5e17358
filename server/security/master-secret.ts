import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

const secretBytes = 32

/** The secret from the settings, or that of the file `secret` in the data folder, which the first start makes. */
export async function loadMasterSecret(given: string | undefined, folder: string): Promise<Uint8Array> {
  if (given !== undefined) return Buffer.from(given)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'secret')
  await createOnce(path)
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) throw new Error(`The file ${path} must be readable by its owner only (chmod 600)`)
  return Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url')
}

/** [Note: Exclusive creation] Two processes that start at once must not each make a secret of their own. */
async function createOnce(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${randomBytes(secretBytes).toString('base64url')}\n`)
    await file.sync()
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
