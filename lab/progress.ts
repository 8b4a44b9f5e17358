const everyMilliseconds = 1000
const linesEveryMilliseconds = 15_000

/** Shows the progress of a long task on standard error, either as a single line that is rewritten or as occasional lines in a log. */
export function showProgress(label: string, total: number): { step(): void; end(): void } {
  const inPlace = process.stderr.isTTY === true
  const started = performance.now()
  let done = 0
  let shownAt = started

  function show(ending: string): void {
    const seconds = (performance.now() - started) / 1000
    const left = done === 0 ? '' : `, ${Math.ceil((seconds / done) * (total - done))} s left`
    const line = `${label}: ${done} of ${total}${done === total ? `, ${Math.ceil(seconds)} s` : left}`
    process.stderr.write(inPlace ? `\r${line.padEnd(70)}${ending}` : `${line}\n`)
    shownAt = performance.now()
  }

  return {
    step() {
      done++
      if (performance.now() - shownAt > (inPlace ? everyMilliseconds : linesEveryMilliseconds)) show('')
    },
    end: () => show('\n'),
  }
}
