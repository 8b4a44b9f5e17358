import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { MasterSecrets } from './root-key.ts'

const secretBytes = 32

interface SecretSources {
  readonly secret: string | undefined
  readonly secretPrevious: string | undefined
  readonly folder: string
}

/**
 * The current secret, and earlier ones that may still be needed to open the store: `SECRET`, or else the file `secret` in
 * the data folder, which the first start creates; then `SECRET_PREVIOUS`, and the file if `SECRET` is set.
 */
export async function loadMasterSecrets({
  secret,
  secretPrevious,
  folder,
}: SecretSources): Promise<MasterSecrets> {
  const former = secretPrevious === undefined ? [] : [Buffer.from(secretPrevious)]
  const path = join(folder, 'secret')
  if (secret === undefined) return [await loadFile(folder, path), ...former]
  return [Buffer.from(secret), ...former, ...(existsSync(path) ? [await loadFile(folder, path)] : [])]
}

async function loadFile(folder: string, path: string): Promise<Uint8Array> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) await createOnce(path)
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) throw new Error(`The file ${path} must be readable by its owner only (chmod 600)`)
  return Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url')
}

/**
 * [Note: Exclusive creation] Two processes that start together must not create different secrets, and neither may read a
 * half-written one. The file gets its name when it is complete, and only if the name is free.
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
