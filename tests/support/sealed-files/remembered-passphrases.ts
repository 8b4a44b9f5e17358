import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

type Scrypt = typeof crypto.scrypt

/**
 * Caches a passphrase that was tried with a salt, for all tests in this file. Each try takes half a second of processor time
 * by design, and a test opens files that it sealed itself over and over. The result is the same. A wrong passphrase
 * or a different salt is computed as usual.
 */
export function rememberPassphrases(): void {
  const real = crypto.scrypt
  const known = new Map<string, Buffer>()
  const remembering = ((passphrase, salt, length, options, done) => {
    const id = JSON.stringify([passphrase, Buffer.from(salt as Uint8Array).toString('hex'), length, options])
    const found = known.get(id)
    if (found !== undefined) return setImmediate(done, null, Buffer.from(found))
    real(passphrase, salt, length, options, (error, made) => {
      if (error === null) known.set(id, Buffer.from(made))
      done(error, made)
    })
  }) as Scrypt
  beforeAll(() => take(remembering))
  afterAll(() => take(real))
}

function take(scrypt: Scrypt): void {
  crypto.scrypt = scrypt
  syncBuiltinESMExports()
}
