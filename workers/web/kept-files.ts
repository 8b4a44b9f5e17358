import type { BuiltFile } from './built-file.ts'

/** A build's cached files. Nothing else is cached, neither API responses nor the addresses of links. */
export interface KeptFiles {
  /**
   * Fetches and caches the missing files one after another. `onKept` receives the number of files cached so far.
   * @throws if one of them cannot be fetched
   */
  keep(addresses: Iterable<string>, onKept?: (files: number) => void): Promise<void>
  /** Finds the cached response for an address. */
  find(address: string): Promise<Response | undefined>
  /** Returns the cached response or fetches one from the server, caching the build's files along the way. */
  answer(request: Request): Promise<Response>
  /** Removes all files that are not part of the build and not needed by any open page. */
  prune(spared: Iterable<string>): Promise<void>
}

/** A query that bypasses the cache. Setting the request's cache mode would not be enough, because developer tools override it. */
export const anew = '?anew'

/** The cache's dependencies, replaced in tests. */
export interface Shelf {
  readonly open: () => Promise<Cache>
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
}

/**
 * Caches a build's files. [Note: One shelf for two builds] The names of assets contain a content hash, and pages are also stored under their hash.
 * The files of an old build can therefore stay next to those from the new one until no page needs them any more.
 */
export function createKeptFiles(files: readonly BuiltFile[], { open, fetch }: Shelf): KeptFiles {
  const known = new Map(files.map((file) => [file.address, file]))

  const find = async (address: string) => {
    const shelf = await open()
    return shelf.match(keyOf(address, known.get(address)), { ignoreVary: true })
  }
  const bring = async (address: string, cache: RequestCache) => {
    const file = known.get(address)
    const integrity = file === undefined ? {} : { integrity: file.integrity }
    const answer = await fetch(address, { cache, ...integrity })
    if (!answer.ok) throw new Error(`${address} returned the status ${answer.status}`)
    return { answer, key: keyOf(address, file) }
  }
  const bringAndKeep = async (address: string, cache: RequestCache) => {
    const { answer, key } = await bring(address, cache)
    const shelf = await open()
    await shelf.put(key, answer.clone())
    return answer
  }

  return {
    find,
    async keep(addresses, onKept = () => {}) {
      let kept = 0
      for (const address of addresses) {
        if (!isAsset(address) && !known.has(address)) continue
        if ((await find(address)) === undefined) await bringAndKeep(address, 'default')
        onKept(++kept)
      }
    },
    async answer(request) {
      const { pathname: address, search } = new URL(request.url)
      const range = request.headers.get('range')
      // Resumes an interrupted download. Only complete files are cached.
      if (range !== null) return fetch(address, { cache: 'no-store', headers: { range } })
      const isAnew = search === anew
      const kept = isAnew ? undefined : await find(address)
      if (kept !== undefined) return kept
      const cache = isAnew ? 'reload' : 'default'
      // If the device is full, files that cannot be cached are still used for this visit.
      if (!known.has(address)) return fetch(address, { cache })
      return bringAndKeep(address, cache).catch(() => fetch(address, { cache }))
    },
    async prune(spared) {
      const kept = new Set([...files.map((file) => keyOf(file.address, file)), ...spared])
      const shelf = await open()
      for (const request of await shelf.keys()) {
        const { pathname, search } = new URL(request.url)
        if (!kept.has(pathname + search)) await shelf.delete(request)
      }
    },
  }
}

/** True if the address contains a content hash. */
export function isAsset(address: string): boolean {
  return address.startsWith('/assets/')
}

function keyOf(address: string, file: BuiltFile | undefined): string {
  return isAsset(address) || file === undefined ? address : `${address}?${encodeURIComponent(file.integrity)}`
}
