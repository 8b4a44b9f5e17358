import { sentenceForPackages } from '../build/lab-packages.ts'

// Loaded with `--import` before commands that import these packages, because a missing one would end them before their first line.
const lacking = sentenceForPackages()
if (lacking !== undefined) {
  console.error(lacking)
  process.exit(1)
}
