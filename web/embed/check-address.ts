const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Parses an https address (or http on loopback) without user information. [Note: A link is no script]
 * `javascript:` and `data:` addresses would run in the embedding page with that page's privileges.
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
