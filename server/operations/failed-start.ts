/**
 * Until the function that it answers is called, whatever stops the process is told in a line, without the places in the
 * code that help nobody who set a wrong port. What nobody foresaw keeps them.
 */
export function explainFailedStart(): () => void {
  process.once('uncaughtException', tell)
  return () => void process.off('uncaughtException', tell)
}

function tell(error: unknown): void {
  process.exitCode = 1
  process.stderr.write(`Selfsame did not start. ${wordsOf(error)}\n`, () => process.exit())
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.constructor === Error ? error.message : (error.stack ?? error.message)
}
