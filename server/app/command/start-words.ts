import { terminal } from './terminal/terminal.ts'

const help = `Usage: npm start [-- --https]

Starts the server, by default on http://127.0.0.1:8080. Its settings are environment variables, such as
PORT, HOST, DATA_DIR, STORE, SECRET and PUBLIC_URL. docs/operate.md lists them all.

--https serves your local network over https instead, with a certificate generated for 14 days, and prints a QR code for
a phone. Use it for trials only: a public server has a TLS proxy in front.`

/** The start options. */
export interface StartWords {
  readonly https: boolean
}

/** Parses the start arguments, and ends the process if one is unknown. */
export function readStartWords(words: readonly string[]): StartWords {
  const unknown = words.find((word) => word !== '--https')
  if (unknown === undefined) return { https: words.length > 0 }
  const asksForHelp = words.some((word) => ['help', '--help', '-h'].includes(word))
  if (asksForHelp) terminal.write(help)
  else terminal.error(`The server does not accept the argument "${unknown}". --help lists what it accepts.`)
  process.exit(asksForHelp ? 0 : 2)
}
