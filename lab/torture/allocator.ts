import { dockerfile } from '../../tests/support/manifests/image.ts'

/** How the image makes glibc allocate memory, as environment variables: glibc reads them only when a process starts. */
export function allocatorOfImage(): Record<string, string> {
  const found = dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name!, value!]))
}
