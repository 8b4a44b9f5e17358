const everyMilliseconds = 1000

/** Prints a download's progress, at most once a second and when a file is complete. */
export function createProgressLines(write: (line: string) => void, now: () => number) {
  let reportedAt = now()
  return (file: string, bytes: number, of: number): void => {
    const isWhole = bytes === of
    if (!isWhole && now() - reportedAt < everyMilliseconds) return
    reportedAt = now()
    write(
      isWhole ? `${file}: ${inMegabytes(of)} MB` : `${file}: ${inMegabytes(bytes)} of ${inMegabytes(of)} MB`,
    )
  }
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
