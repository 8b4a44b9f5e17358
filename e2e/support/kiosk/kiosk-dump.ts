import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'

/** All stored data that a kiosk's page can read with its credentials. */
export interface Dump {
  /** All text in IndexedDB and both storages, and all bytes as Latin-1. */
  readonly texts: readonly string[]
  /** True if the private key could be extracted. */
  readonly keyCameOut: boolean
  readonly captures: number
}

/** Reads everything, key by key, except the space reserved for a full disk: it contains noise from before the first picture, and its 32 MiB take ten seconds to transfer. */
export function dumpStored(page: Page): Promise<Dump> {
  return page.evaluate(async () => {
    const texts: string[] = []
    const keys: CryptoKey[] = []
    const latin = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
    const walk = (value: unknown): void => {
      if (typeof value === 'string') texts.push(value)
      else if (value instanceof CryptoKey) keys.push(value)
      else if (value instanceof ArrayBuffer) texts.push(latin(new Uint8Array(value)))
      else if (ArrayBuffer.isView(value)) texts.push(latin(new Uint8Array(value.buffer)))
      else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          texts.push(name)
          walk(inner)
        }
      }
    }
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    let captures = 0
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name!))
      for (const store of database.objectStoreNames) {
        for (const key of await done(database.transaction(store).objectStore(store).getAllKeys())) {
          if (/^roomFor/.test(String(key))) continue
          if (store === 'queue') captures++
          walk(await done(database.transaction(store).objectStore(store).get(key)))
        }
      }
      database.close()
    }
    for (const storage of [localStorage, sessionStorage]) walk({ ...storage })
    const shown = await Promise.all(
      keys
        .filter(({ type }) => type === 'private')
        .flatMap((key) => (['jwk', 'pkcs8'] as const).map((format) => crypto.subtle.exportKey(format, key)))
        .map((exported) =>
          exported.then(
            () => true,
            () => false,
          ),
        ),
    )
    return { texts, keyCameOut: shown.length === 0 || shown.includes(true), captures }
  })
}

/**
 * Limits the origin to this number of bytes beyond its current usage, as the browser counts it. Chromium uses a cached quota for a few
 * seconds, and it always reports 10 GiB to pages, so only a failing write shows that the limit is active.
 */
export async function fillStorage(page: Page, spareBytes = 0): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  const { usage } = await debug.send('Storage.getUsageAndQuota', { origin })
  await debug.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + spareBytes })
  await expect.poll(() => writeSome(page, spareBytes + 1000), { timeout: 60_000 }).toBe('QuotaExceededError')
}

/** Writes a separate file and deletes it again. */
function writeSome(page: Page, size: number): Promise<string> {
  return page.evaluate(
    (length) =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('room')
        opening.onupgradeneeded = () => opening.result.createObjectStore('room')
        opening.onerror = () => resolve(opening.error!.name)
        opening.onsuccess = () => {
          const writing = opening.result.transaction('room', 'readwrite')
          writing.objectStore('room').put(new Blob(['x'.repeat(length)]), 'x')
          const end = (name: string) => {
            opening.result.transaction('room', 'readwrite').objectStore('room').clear()
            opening.result.close()
            resolve(name)
          }
          writing.oncomplete = () => end('')
          writing.onabort = () => end(writing.error!.name)
        }
      }),
    size,
  )
}

/** Starting with the next load, records each picture as Base64 before the page seals it. */
export async function recordPictures(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const plain = globalThis.btoa
    const seen: string[] = []
    Object.assign(globalThis, {
      seenPictures: seen,
      btoa(text: string) {
        const encoded = plain(text)
        if (encoded.startsWith('/9j/')) seen.push(encoded)
        return encoded
      },
    })
  })
}

/** The recorded pictures as Base64. */
export function takenPictures(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { seenPictures: string[] }).seenPictures)
}

/** All files below one of the page storage's folders, as Latin-1. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const stored = entries.filter(
    (entry) =>
      entry.isFile() &&
      /IndexedDB|Local Storage|Session Storage|WebStorage|File System/.test(entry.parentPath),
  )
  return Promise.all(stored.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
}

/** The header that every canvas JPEG starts with: as bytes, as Base64, and as nested Base64 in each alignment. */
const marks = markForms('\xff\xd8\xff\xe0\x00\x10JFIF')

/** Which forms of the pictures, or of any JPEG header, occur in a text or its decoded parts. */
export function tracesIn(text: string, pictures: readonly string[]): string[] {
  const pieces = pictures.flatMap((picture) => {
    const mid = Math.floor(picture.length / 8) * 4
    const piece = picture.slice(mid, mid + 64)
    return [piece, ...encodedTwice(piece), Buffer.from(piece, 'base64').toString('latin1')]
  })
  const parts = text.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  return [...marks, ...pieces].filter((trace) => [text, ...parts].some((view) => view.includes(trace)))
}

function markForms(bytes: string): string[] {
  const base64 = Buffer.from(bytes, 'latin1').toString('base64').slice(0, -3)
  return [bytes, base64, ...encodedTwice(base64)]
}

/** How a text can appear inside a longer Base64url-encoded one, once for each of three alignments. */
function encodedTwice(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from(' '.repeat(before) + text).toString('base64url')
    return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3))
  })
}
