import { terminal } from './terminal.ts'

const help = `Usage: npm start

Starts the server, on http://127.0.0.1:8080 where nothing else is set. It takes no options: its settings are variables of the
environment, such as PORT, HOST, DATA_DIR, STORE, SECRET and PUBLIC_URL. docs/operate.md lists them all.`

/** Ends a start that was given words: the server takes none. */
export function readStartWords(words: readonly string[]): void {
  const [word] = words
  if (word === undefined) return
  const asksForHelp = ['help', '--help', '-h'].includes(word)
  if (asksForHelp) terminal.tell(help)
  else terminal.complain(`The server takes no words, but was given "${word}". --help tells how it is set up.`)
  process.exit(asksForHelp ? 0 : 2)
}
