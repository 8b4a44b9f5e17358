const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * The address of a text where it is one of the web: https, or http at this very machine, without user information. [Note: A link is no script]
 * `javascript:` and `data:` would run in the page that shows the check, as its own.
 */
export function webAddress(text: string, base?: string): URL | undefined {
  try {
    const url = new URL(text, base)
    const { protocol, hostname, username, password } = url
    const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))
    return isSafe && username + password === '' ? url : undefined
  } catch {
    return undefined
  }
}
