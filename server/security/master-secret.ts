import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

const secretBytes = 32

/** The secret from the settings, or that of the file `secret` in the data folder, which the first start makes. */
export async function loadMasterSecret(given: string | undefined, folder: string): Promise<Uint8Array> {
  if (given !== undefined) return Buffer.from(given)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'secret')
  if (!existsSync(path)) await createOnce(path)
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) throw new Error(`The file ${path} must be readable by its owner only (chmod 600)`)
  return Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url')
}

/**
 * [Note: Exclusive creation] Two processes that start at once must not each make a secret of their own, nor may one
 * read what the other has half written: the file gets its name when it is whole, and only where the name is free.
 */
async function createOnce(path: string): Promise<void> {
  const whole = `${path}.${randomUUID()}`
  const file = await open(whole, 'wx', 0o600)
  await file.writeFile(`${randomBytes(secretBytes).toString('base64url')}\n`)
  await file.sync()
  await file.close()
  try {
    await link(whole, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(whole)
  }
}
