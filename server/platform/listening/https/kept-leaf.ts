import { X509Certificate } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Leaf, makeLeaf } from './leaf-certificate.ts'

/** A certificate with less time left is replaced, so that a phone does not have to accept a new one during a trial. */
const leastLeftInMilliseconds = 24 * 3600 * 1000

const boundary = '-----BEGIN PRIVATE KEY-----'

/**
 * Reuses an earlier start's certificate if it is still valid and covers all names, and creates a new one otherwise. It is
 * stored in a file that only its owner can read.
 */
export async function keptLeaf(dataDir: string, names: readonly string[], now: number): Promise<Leaf> {
  const path = join(dataDir, 'https-trial.pem')
  const known = await readLeaf(path)
  if (known !== undefined && holds(known, names, now)) return known
  const made = await makeLeaf(names, now)
  const next = `${path}.next`
  const file = await open(next, 'w', 0o600)
  await file.chmod(0o600)
  await file.writeFile(`${made.cert.trim()}\n${made.key.trim()}\n`)
  await file.close()
  await rename(next, path)
  return made
}

async function readLeaf(path: string): Promise<Leaf | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const at = text.indexOf(boundary)
  return at < 1 ? undefined : { cert: text.slice(0, at), key: text.slice(at) }
}

function holds({ cert }: Leaf, names: readonly string[], now: number): boolean {
  const { validTo, subjectAltName = '' } = new X509Certificate(cert)
  const known = subjectAltName.split(', ').map((entry) => entry.replace(/^(DNS|IP Address):/, ''))
  return Date.parse(validTo) - now >= leastLeftInMilliseconds && names.every((name) => known.includes(name))
}
