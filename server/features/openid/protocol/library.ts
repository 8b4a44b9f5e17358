type Library = typeof import('oidc-provider')

let loading: Promise<Library> | undefined

/** The provider's library: loaded when a deployment first answers as one, and never where it is off. */
export function loadLibrary(): Promise<Library> {
  loading ??= load().catch((error: unknown) => {
    // Whoever asks next tries again.
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Library> {
  // Node 20, on which a start only warns, has no `URL.parse`, and the library is written with it.
  const known = URL as typeof URL & { parse?: (text: string, base?: string | URL) => URL | null }
  known.parse ??= (text, base) => (URL.canParse(text, base?.toString()) ? new URL(text, base) : null)
  return import('oidc-provider')
}
