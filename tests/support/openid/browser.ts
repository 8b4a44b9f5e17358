/** A browser without pages. It keeps cookies by path, and only follows redirects when asked to. */
export interface Browser {
  fetch(address: string, init?: RequestInit): Promise<Response>
  /** Follows redirects within these origins. Returns the first address outside of them, or the last answer. */
  follow(address: string, within: string): Promise<{ address: string; response: Response }>
  /** Submits a page's form, as its script or a click on its button would. */
  submit(page: Response): Promise<Response>
  readonly cookies: ReadonlyMap<string, Cookie>
}

/** A page's form, with its target and its fields. */
export function formOf(page: string): { readonly action: string; readonly fields: Record<string, string> } {
  const action = /<form method="post" action="([^"]*)">/.exec(page)?.[1]
  if (action === undefined) throw new Error(`There is no form in ${page}`)
  const inputs = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  const fields = Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, plainText(value)]))
  return { action: plainText(action), fields }
}

function plainText(markup: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return markup.replace(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => entities[name]!)
}

interface Cookie {
  readonly value: string
  readonly path: string
}

export function openBrowser(): Browser {
  const cookies = new Map<string, Cookie>()

  function keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */)
      const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/'
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const isGone = value === '' || attributes.some((text) => /^expires=Thu, 01 Jan 1970/i.test(text))
      const key = `${name} ${path}`
      if (isGone) cookies.delete(key)
      else cookies.set(key, { value, path })
    }
  }

  async function ask(address: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(address)
    const sent = [...cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(`${path.replace(/\/$/, '')}/`))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
    const headers = new Headers(init.headers)
    if (!headers.has('Accept')) headers.set('Accept', 'text/html')
    if (sent.length > 0) headers.set('Cookie', sent.join('; '))
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    keep(response)
    return response
  }

  return {
    fetch: ask,
    async submit(page) {
      const { action, fields } = formOf(await page.text())
      return ask(action, { method: 'POST', body: new URLSearchParams(fields) })
    },
    cookies,
    async follow(address, within) {
      let at = address
      for (let hops = 0; hops < 12; hops++) {
        const response = await ask(at)
        const location = response.headers.get('Location')
        if (location === null) return { address: at, response }
        at = new URL(location, at).href
        const isPage = at.includes('/verification/session/')
        if (!at.startsWith(within) || isPage) return { address: at, response }
      }
      throw new Error(`More than 12 redirects from ${address}`)
    },
  }
}
