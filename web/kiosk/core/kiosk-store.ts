import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'
import type { KioskConfiguration, pairKiosk, SealingKey } from '#shared/contract/kiosk/kiosk-device.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import type { KioskError } from './kiosk.ts'

/** The device's key pair. The private key cannot be extracted from the browser. */
export interface DeviceKey {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

/** The identity and configuration that the server assigned to this device. */
export interface Pairing {
  readonly kioskId: string
  /** The assertions' `aud` and the plans' `iss`. */
  readonly issuer: string
  /** The server's earlier issuers, which older plans still carry. Absent if the server never moved. */
  readonly formerIssuers?: readonly string[]
  readonly configuration: KioskConfiguration
  readonly sealingKey: SealingKey
  readonly planKeys: ResultOf<typeof pairKiosk>['planKeys']
  readonly isRevoked: boolean
}

/** A challenge that the server has signed. */
export interface KeptPlan {
  readonly planId: string
  readonly signed: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** A capture that is waiting to be sent. Only its time can be read here. */
export interface KeptCapture {
  /** Captures are sent in this order. */
  readonly sequence: number
  readonly captureId: string
  /** A compact JWE. */
  readonly sealed: string
  /** Milliseconds since 1970, corrected. */
  readonly capturedAt: number
}

/** A capture that the server rejected, along with the error code. */
export interface CaptureAside extends KeptCapture {
  readonly code: string
}

/** Single records by name. */
export interface Notes {
  readonly lastSequence: number
  readonly lastSentAt: number
  /** When the last capture was taken, in milliseconds since 1970 by the corrected clock. */
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
  /** Reserved space: see reserve.ts. */
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

/** A strict transaction, which only completes once it is on disk. */
export type KioskTransaction = IDBPTransaction<Schema, Name[], 'readwrite'>

/** Everything that a kiosk stores on its device. */
export interface KioskStore {
  readonly read: IDBPDatabase<Schema>
  /** Runs `work` in a strict transaction and resolves when that completes. If any part fails, nothing is written. */
  write<T>(stores: Name[], work: (transaction: KioskTransaction) => Promise<T>): Promise<T>
  note<K extends keyof Notes>(name: K): Promise<Notes[K] | undefined>
  pairing(): Promise<Pairing | undefined>
  deviceKey(): Promise<DeviceKey | undefined>
}

const databaseName = 'selfsame-kiosk'
const everyStore: Name[] = ['identity', 'plans', 'queue', 'aside', 'errors', 'notes']

/** Opens this device's store, or creates it. */
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
        transaction.done.catch(() => {}) // already reported by the first error
        abort(transaction)
        throw error
      }
    },
    note: async <K extends keyof Notes>(name: K) => (await read.get('notes', name)) as Notes[K] | undefined,
    pairing: async () => (await read.get('identity', 'pairing')) as Pairing | undefined,
    deviceKey: async () => (await read.get('identity', 'deviceKey')) as DeviceKey | undefined,
  }
}

/** Clears all stores: the pairing, its key, and everything that is waiting. */
export function clearStore(store: KioskStore): Promise<void> {
  return store.write(everyStore, async (transaction) => {
    await Promise.all(everyStore.map((name) => transaction.objectStore(name).clear()))
  })
}

function abort(transaction: KioskTransaction): void {
  try {
    transaction.abort()
  } catch {
    // already aborted by the error
  }
}
