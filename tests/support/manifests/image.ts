import { readFileSync } from 'node:fs'

export const dockerfile = readFileSync('Dockerfile', 'utf8')

/** The image's variables for the platform, a library and the C library. The server does not read them. */
const ofOthers = ['NODE_ENV', 'ORT_DISABLE_TELEMETRY', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_ARENA_MAX']

/** The names and values that the image sets for the server. */
export const imageEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)]
    .flatMap(([, pairs]) => pairs!.split(' '))
    .map((pair) => pair.split('=') as [string, string])
    .filter(([name]) => !ofOthers.includes(name)),
)

const [, uid, gid] = /groupadd --gid (\d+) node && useradd --uid (\d+) --gid node/.exec(dockerfile)!

/** The user that the image runs as, and the port it listens on. */
export const image = {
  user: Number(uid),
  group: Number(gid),
  port: Number(/^EXPOSE (\d+)$/m.exec(dockerfile)![1]),
}

/** The programs that the build produces for `node dist/server/NAME.js`. */
export const builtPrograms: readonly string[] = [
  ...readFileSync('vite.config.ts', 'utf8').matchAll(/^ {14}(\w+): 'server\/app\//gm),
].map(([, name]) => `dist/server/${name}.js`)

/** How many seconds a server takes to stop once it has drained: first requests and webhooks, then the analysis threads. */
export const stopsWithinSeconds = 28

/** How much memory a server needs, in MiB, according to docs/operate.md ("Memory"). */
export function memoryFor(analysisThreads: number): number {
  const page = readFileSync('docs/operate.md', 'utf8')
  const [, first, further] =
    /Give a container (\d+) MiB, and (\d+) MiB more for each additional analysis thread/.exec(page)!
  return Number(first) + (analysisThreads - 1) * Number(further)
}
