import type { BuiltFile } from './built-file.ts'

/** The files of a build that are kept on the device. Nothing else is: no answer of the API, no address of a link. */
export interface KeptFiles {
  /**
   * Fetches and keeps the files of these addresses that are not kept yet, one after the other. `onKept` hears how many there
   * are so far. @throws where one cannot be had
   */
  keep(addresses: Iterable<string>, onKept?: (files: number) => void): Promise<void>
  /** What is kept of an address. */
  find(address: string): Promise<Response | undefined>
  /** What is kept of an address, else the server's; what belongs to the build is kept on the way. */
  answer(request: Request): Promise<Response>
  /** Drops what belongs neither to the build nor to the pages that still need it. */
  prune(spared: Iterable<string>): Promise<void>
}

/** The query of a request that goes past everything kept. The mode of a request would not do: a debugger sets that. */
export const anew = '?anew'

/** What the files are kept with; a test gives its own. */
export interface Shelf {
  readonly open: () => Promise<Cache>
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
}

/**
 * Keeps the files of a build. [Note: One shelf for two builds] Assets have the hash of their content in their names, and a
 * page is filed under its hash as well: the files of an old build lie next to those of the new one until no page needs them.
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
    if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`)
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
      // The rest of a download that was interrupted. Only whole files are kept.
      if (range !== null) return fetch(address, { cache: 'no-store', headers: { range } })
      const isAnew = search === anew
      const kept = isAnew ? undefined : await find(address)
      if (kept !== undefined) return kept
      const cache = isAnew ? 'reload' : 'default'
      // What cannot be kept, on a device that is full, still serves this visit.
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

/** Whether an address names its content by a hash. */
export function isAsset(address: string): boolean {
  return address.startsWith('/assets/')
}

function keyOf(address: string, file: BuiltFile | undefined): string {
  return isAsset(address) || file === undefined ? address : `${address}?${encodeURIComponent(file.integrity)}`
}
