/** A place to which audit log heads are reported. */
export type HeadTarget =
  | {
      readonly kind: 'file'
      readonly path: string
      /** True for the default file in DATA_DIR, which is kept small. */
      readonly isOwn?: true
    }
  /** The process's log, on standard error. */
  | { readonly kind: 'log' }
  | { readonly kind: 'syslog'; readonly host: string; readonly port: number }
  | { readonly kind: 'webhook'; readonly address: string }

const syslogPort = 514
const loopback = ['127.0.0.1', '[::1]', 'localhost']

/** Parses `log`, `file:/path`, `syslog://host:514` (UDP) or `https://…`; http only for this machine. Undefined for anything else. */
export function headTargetOf(text: string): HeadTarget | undefined {
  if (text === 'log') return { kind: 'log' }
  if (text.startsWith('file:/')) return { kind: 'file', path: text.slice('file:'.length) }
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port } = new URL(text)
  if (protocol === 'syslog:' && hostname !== '')
    return { kind: 'syslog', host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || syslogPort }
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname))
  return isSafe ? { kind: 'webhook', address: text } : undefined
}
