import type { Context } from 'koa'
import { consoleBasePath, signedInLimits } from '#shared/contract/console/console-paths.ts'

const name = 'selfsame-console'

/** The cookie of who is signed in. [Note: Of this host alone] Under https its name binds it to the host, whatever else is served next to it. */
export interface ConsoleCookie {
  /** What the browser sent; empty where it sent none. */
  read(ctx: Context): string
  /** Sets it; undefined removes it. */
  write(ctx: Context, value: string | undefined): void
}

/** `isHttps` says whether the console is at such an address; known once the server listens. */
export function createConsoleCookie(isHttps: () => boolean): ConsoleCookie {
  const fullName = () => (isHttps() ? `__Host-${name}` : name)
  return {
    read: (ctx) => ctx.cookies.get(fullName()) ?? '',
    write(ctx, value) {
      const age = value === undefined ? 0 : signedInLimits.mostSeconds
      const place = isHttps() ? 'Path=/; Secure' : `Path=${consoleBasePath}`
      const parts = [`${fullName()}=${value ?? ''}`, `Max-Age=${age}`, place, 'HttpOnly', 'SameSite=Strict']
      ctx.res.appendHeader('Set-Cookie', parts.join('; '))
    },
  }
}
