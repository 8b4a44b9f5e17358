/**
 * Until the returned function is called, a fatal error is printed as one line without a stack, which is enough for an
 * operator who set the wrong port. Unexpected errors keep their stack.
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
