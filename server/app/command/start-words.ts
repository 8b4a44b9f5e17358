import { terminal } from './terminal.ts'

const help = `Usage: npm start [-- --https]

Starts the server, on http://127.0.0.1:8080 where nothing else is set. Its settings are variables of the environment, such as
PORT, HOST, DATA_DIR, STORE, SECRET and PUBLIC_URL. docs/operate.md lists them all.

--https serves this network over https instead, with a certificate that is made on the spot for 14 days, and prints a code for
a phone. To try things out: a public server has a proxy with TLS in front.`

/** What a start was asked for in words. */
export interface StartWords {
  readonly https: boolean
}

/** Ends a start that was given words that it does not know. */
export function readStartWords(words: readonly string[]): StartWords {
  const unknown = words.find((word) => word !== '--https')
  if (unknown === undefined) return { https: words.length > 0 }
  const asksForHelp = words.some((word) => ['help', '--help', '-h'].includes(word))
  if (asksForHelp) terminal.write(help)
  else terminal.error(`The server does not accept the argument "${unknown}". --help lists what it accepts.`)
  process.exit(asksForHelp ? 0 : 2)
}
