import type { Context } from 'koa'
import { consoleBasePath, signedInLimits } from '#shared/contract/console/console-paths.ts'

const name = 'selfsame-console'

/** The cookie of a sign-in. [Note: Of this host alone] With https, its name binds it to the host, whatever else is served next to it. */
export interface ConsoleCookie {
  /** The value that the browser sent; empty if there is none. */
  read(ctx: Context): string
  /** Sets the cookie, or removes it if undefined. */
  write(ctx: Context, value: string | undefined): void
}

/** `isHttps` returns true if the console has an https address. It is known once the server is listening. */
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
