// The parts of two untyped packages that a site uses.
declare module 'passport' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  export class Passport {
    use(strategy: object): void
    authenticate(
      name: string,
      options: object,
      done: (error: Error | null, user: unknown, info: unknown) => void,
    ): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void
  }
}

declare module 'passport-openidconnect' {
  export class Strategy {
    constructor(settings: object, verify: (...given: unknown[]) => void)
    protected _oauth2: OAuth2
    authenticate(request: object, options: object): void
    authorizationParams(options: object): Record<string, string>
  }
  interface OAuth2 {
    getOAuthAccessToken(code: string, parameters: object, done: (...answer: unknown[]) => void): void
  }
}
