import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

type Scrypt = typeof crypto.scrypt

/**
 * Caches a passphrase that was tried with a salt, for every test of this file. Each try costs half a second of a core
 * by design, and a test repeatedly opens files that it has sealed itself. The result is the same; a wrong passphrase
 * or another salt is computed.
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
