import { unlessRefused } from '#web/ui/unless-refused.ts'
import type { Shelf } from './shelf.ts'

const key = 'selfsame:resume'

/** Longer than any session stays open. After this time the secret is useless. */
const keptMilliseconds = 20 * 60_000
/** How many links are remembered at most. The newest ones are kept. */
const mostLinks = 20

/** This browser's secret for one link. */
export interface ResumeSecret {
  /** 256 random bits, base64url. */
  readonly value: string
  /** True if it was already stored, so the link may already be open and its session continues. */
  readonly wasKept: boolean
  /** Restarts the secret's lifetime, because the link was just opened. */
  renew(): void
}

/** Secrets for the links that this browser has opened. */
export interface ResumeSecrets {
  /** Finds a link's secret or creates one; undefined if nothing can be stored beyond this tab, in which case the link opens only once. */
  of(link: string): Promise<ResumeSecret | undefined>
  /** True if this browser may have opened the link before. */
  isKept(link: string): Promise<boolean>
}

type StoredSecrets = Record<string, { readonly secret: string; readonly until: number }>

/**
 * This browser's secrets. [Note: A link survives its tab] They are stored under a digest of the link, because the link itself contains
 * names and is never stored. Requests carry them in the body, not in the address.
 */
export function createResumeSecrets(
  page: { readonly localStorage: Shelf },
  now: () => number = Date.now,
): ResumeSecrets {
  const shelf = unlessRefused(() => page.localStorage)
  const subtle = globalThis.crypto?.subtle
  if (shelf === undefined || subtle === undefined)
    return { of: async () => undefined, isKept: async () => false }

  function keep(digest: string, secret: string): boolean {
    const others = Object.entries(read(shelf!, now())).filter(([other]) => other !== digest)
    const kept = [[digest, { secret, until: now() + keptMilliseconds }], ...others.slice(0, mostLinks - 1)]
    unlessRefused(() => shelf!.setItem(key, JSON.stringify(Object.fromEntries(kept))))
    return read(shelf!, now())[digest]?.secret === secret
  }

  const digestLink = async (link: string) =>
    base64url(await subtle.digest('SHA-256', new TextEncoder().encode(link)))

  return {
    async of(link) {
      const digest = await digestLink(link)
      const known = read(shelf, now())[digest]?.secret
      const value = known ?? base64url(crypto.getRandomValues(new Uint8Array(32)).buffer)
      // Stored before it is sent, so that a lost answer does not lose the secret as well.
      if (known === undefined && !keep(digest, value)) return undefined
      return { value, wasKept: known !== undefined, renew: () => void keep(digest, value) }
    },
    isKept: async (link) => read(shelf, now())[await digestLink(link)] !== undefined,
  }
}

/** Reads the secrets that may still be valid. */
function read(shelf: Shelf, now: number): StoredSecrets {
  const kept = unlessRefused(() => JSON.parse(shelf.getItem(key) ?? '{}') as StoredSecrets | null) ?? {}
  return Object.fromEntries(Object.entries(kept).filter(([, one]) => one?.until > now))
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
