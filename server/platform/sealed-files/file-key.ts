import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { FileFault } from './file-fault.ts'

/**
 * Every file's header: `SELFSAME`, the format version, the scrypt cost (log2 N, r, p), 16 bytes of salt, and 16 bytes that
 * distinguish a wrong passphrase from a damaged file.
 */
export const headerBytes = 8 + 4 + 16 + 16

const mark = Buffer.from('SELFSAME')
const version = 1
const saltBytes = 16
const checkBytes = 16
const keyBytes = 32
/** Costs 128 MiB and a few tenths of a second per passphrase attempt. */
const usual = { logN: 17, r: 8, p: 1 }
/** Upper limits for the cost that a file may declare, so that a crafted file cannot exhaust the machine. */
const most = { logN: 20, r: 16, p: 4 }

interface FileKey {
  readonly header: Buffer
  readonly key: Buffer
}

/** A new file's key, and its header. */
export async function newFileKey(passphrase: string): Promise<FileKey> {
  const { logN, r, p } = usual
  const salt = randomBytes(saltBytes)
  const { key, check } = await derive(passphrase, salt, usual)
  return { header: Buffer.concat([mark, Buffer.of(version, logN, r, p), salt, check]), key }
}

/** The key to a file with this header. @throws {FileFault} if the header is not valid or the passphrase is wrong */
export async function deriveFileKey(passphrase: string, header: Buffer): Promise<FileKey> {
  if (header.length < headerBytes || !header.subarray(0, 8).equals(mark)) {
    throw new FileFault('This is not a sealed file of Selfsame.')
  }
  const [form, logN = 0, r = 0, p = 0] = header.subarray(8, 12)
  if (form !== version) throw new FileFault(`The file has format ${form}, which this version cannot read.`)
  if (logN > most.logN || r > most.r || p > most.p || logN * r * p === 0) {
    throw new FileFault('The file was altered: its key would need too much memory.')
  }
  const { key, check } = await derive(passphrase, header.subarray(12, 28), { logN, r, p })
  if (!timingSafeEqual(check, header.subarray(28))) throw new FileFault('The passphrase is wrong.')
  return { header, key }
}

function derive(passphrase: string, salt: Buffer, { logN, r, p }: typeof usual) {
  const options = { N: 2 ** logN, r, p, maxmem: 129 * r * (2 ** logN + p) }
  return new Promise<{ key: Buffer; check: Buffer }>((done, fail) => {
    scrypt(passphrase.normalize('NFKC'), salt, keyBytes + checkBytes, options, (error, made) => {
      if (error === null) done({ key: made.subarray(0, keyBytes), check: made.subarray(keyBytes) })
      else fail(error)
    })
  })
}
