type Library = typeof import('oidc-provider')

let loading: Promise<Library> | undefined

/** The provider's library, loaded when a deployment first needs it, and never if the provider is off. */
export function loadLibrary(): Promise<Library> {
  loading ??= load().catch((error: unknown) => {
    // The next caller tries again.
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Library> {
  // Node 20, which is deprecated but still starts, lacks `URL.parse`, which the library uses.
  const known = URL as typeof URL & { parse?: (text: string, base?: string | URL) => URL | null }
  known.parse ??= (text, base) => (URL.canParse(text, base?.toString()) ? new URL(text, base) : null)
  return import('oidc-provider')
}
