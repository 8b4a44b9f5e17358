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

/** Codes of the system for a folder that this user may not write. */
const unwritable: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS']

export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (path !== undefined && unwritable.includes(code))
    return `This user may not ${syscall} ${path} (${code}): give it the right, or name another folder in DATA_DIR or in the setting of this path.`
  return error.constructor === Error ? error.message : (error.stack ?? error.message)
}
