import { readFileSync } from 'node:fs'

/** How the image makes glibc allocate memory, as environment variables: glibc reads them only when a process starts. */
export function allocatorOfImage(): Record<string, string> {
  const found = readFileSync('Dockerfile', 'utf8').matchAll(/\b(MALLOC_\w+)=(\d+)/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name!, value!]))
}
