/** Where the ends of audit logs are reported. */
export type HeadTarget =
  | {
      readonly kind: 'file'
      readonly path: string
      /** Our own, in DATA_DIR: it is kept small. */
      readonly isOwn?: true
    }
  /** The log of the process, on standard error. */
  | { readonly kind: 'log' }
  | { readonly kind: 'syslog'; readonly host: string; readonly port: number }
  | { readonly kind: 'webhook'; readonly address: string }

const syslogPort = 514
const loopback = ['127.0.0.1', '[::1]', 'localhost']

/** Reads `log`, `file:/path`, `syslog://host:514` (UDP) or `https://…`; http is for this machine only. Undefined for any other text. */
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
