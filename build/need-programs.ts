import { sentenceFor } from './outside-programs.mjs'

/** Ends a run before its first test if a program is missing that every visit needs: otherwise each test fails by itself. */
// biome-ignore lint/style/noDefaultExport: Playwright runs the default export.
export default function needPrograms(): void {
  const lacking = sentenceFor(['chromium'])
  if (lacking !== undefined) throw new Error(lacking)
}
