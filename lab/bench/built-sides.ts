import { join, resolve } from 'node:path'

/** The folder in which a bench's sides are built, and each side's source. */
export interface Sides<Name extends string> {
  readonly folder: string
  readonly sources: Readonly<Record<Name, string>>
}

/**
 * Builds a bench's sides in the same way as the server. Running the sources directly would name every function when it is created, which takes a
 * tenth of the measured time.
 */
export async function buildSides({ folder, sources }: Sides<string>): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      outDir: join('.cache', folder),
      emptyOutDir: false,
      target: 'node22',
      rollupOptions: { input: { ...sources } },
    },
  })
}

/** A side's built file. */
export function fileOf<Name extends string>({ folder }: Sides<Name>, side: Name): string {
  return resolve('.cache', folder, `${side}.js`)
}
