import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'
import type { KioskConfiguration, SealingKey } from '#shared/contract/kiosk/kiosk-device.ts'
import type { PairingAnswer } from '#web/kiosk/delivery/kiosk-client.ts'
import type { KioskError } from './kiosk.ts'

/** The key pair of the device. The private half cannot be read out of the browser. */
export interface DeviceKey {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

/** Whom the server knows this device as, and what it gave along. */
export interface Pairing {
  readonly kioskId: string
  /** The `aud` of assertions, and the `iss` of plans. */
  readonly issuer: string
  /** What it was before the server moved: plans of then still count. Absent where it never did. */
  readonly formerIssuers?: readonly string[]
  readonly configuration: KioskConfiguration
  readonly sealingKey: SealingKey
  readonly planKeys: PairingAnswer['planKeys']
  readonly isRevoked: boolean
}

/** A challenge that the server drew beforehand, as it was signed. */
export interface KeptPlan {
  readonly planId: string
  readonly signed: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** A capture that waits. Nothing of it can be read here but when it was taken. */
export interface KeptCapture {
  /** The order in which captures were taken, and are sent. */
  readonly sequence: number
  readonly captureId: string
  /** A compact JWE. */
  readonly sealed: string
  /** Milliseconds since 1970, corrected. */
  readonly capturedAt: number
}

/** A capture that the server could not read, and the code of its answer. */
export interface CaptureAside extends KeptCapture {
  readonly code: string
}

/** What stands by itself, each under its name. */
export interface Notes {
  readonly lastSequence: number
  readonly lastSentAt: number
  /** When the last capture was taken, in milliseconds since 1970, corrected. */
  readonly lastCapturedAt: number
  readonly clock: { readonly offset: number }
  readonly pin: {
    readonly salt: Uint8Array<ArrayBuffer>
    readonly hash: Uint8Array<ArrayBuffer>
    readonly rounds: number
    readonly failures: number
    /** Milliseconds since 1970, by the device's own clock. */
    readonly failedAt: number
  }
  /** Nothing but room: see reserve.ts. */
  readonly roomForCapture: Uint8Array<ArrayBuffer>
  readonly roomForNotes: Uint8Array<ArrayBuffer>
}

interface Schema extends DBSchema {
  identity: { key: 'deviceKey' | 'pairing'; value: DeviceKey | Pairing }
  plans: { key: string; value: KeptPlan }
  queue: { key: number; value: KeptCapture }
  aside: { key: number; value: CaptureAside }
  errors: { key: number; value: KioskError }
  notes: { key: keyof Notes; value: Notes[keyof Notes] }
}

type Name = StoreNames<Schema>

/** One transaction over some stores; strict: complete only when it is on the disk. */
export type KioskTransaction = IDBPTransaction<Schema, Name[], 'readwrite'>

/** Everything that a kiosk keeps on its device. */
export interface KioskStore {
  readonly read: IDBPDatabase<Schema>
  /** Runs `work` in one strict transaction and answers when that is complete. Nothing of it stands where any of it fails. */
  write<T>(stores: Name[], work: (transaction: KioskTransaction) => Promise<T>): Promise<T>
  note<K extends keyof Notes>(name: K): Promise<Notes[K] | undefined>
  pairing(): Promise<Pairing | undefined>
  deviceKey(): Promise<DeviceKey | undefined>
}

const databaseName = 'selfsame-kiosk'
const everyStore: Name[] = ['identity', 'plans', 'queue', 'aside', 'errors', 'notes']

/** Opens what this device has kept, or begins it. */
export async function openKioskStore(): Promise<KioskStore> {
  const read = await openDB<Schema>(databaseName, 1, {
    upgrade(database) {
      database.createObjectStore('identity')
      database.createObjectStore('plans', { keyPath: 'planId' })
      database.createObjectStore('queue', { keyPath: 'sequence' })
      database.createObjectStore('aside', { keyPath: 'sequence' })
      database.createObjectStore('errors', { autoIncrement: true })
      database.createObjectStore('notes')
    },
  })
  return {
    read,
    async write(stores, work) {
      const transaction = read.transaction(stores, 'readwrite', { durability: 'strict' })
      try {
        const result = await work(transaction)
        await transaction.done
        return result
      } catch (error) {
        transaction.done.catch(() => {}) // told once, by the first error
        abort(transaction)
        throw error
      }
    },
    note: async (name) => (await read.get('notes', name)) as never,
    pairing: async () => (await read.get('identity', 'pairing')) as Pairing | undefined,
    deviceKey: async () => (await read.get('identity', 'deviceKey')) as DeviceKey | undefined,
  }
}

/** Empties every store at once: the pairing, its key, everything that waited. */
export function clearStore(store: KioskStore): Promise<void> {
  return store.write(everyStore, async (transaction) => {
    await Promise.all(everyStore.map((name) => transaction.objectStore(name).clear()))
  })
}

function abort(transaction: KioskTransaction): void {
  try {
    transaction.abort()
  } catch {
    // over already: the error ended it
  }
}
