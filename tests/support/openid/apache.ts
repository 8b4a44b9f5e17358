import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const program = '/usr/sbin/apache2'
const modules = '/usr/lib/apache2/modules'

/** True if Debian's Apache and its OpenID Connect module are installed on this machine. */
export const hasApache = existsSync(program) && existsSync(`${modules}/mod_auth_openidc.so`)

/** A suffix for the names of tests that need them. */
export const needsApache = hasApache
  ? ''
  : ' (needs apache2 and libapache2-mod-auth-openidc, which are absent)'

/** A separate Apache on loopback with pages that require a sign-in. */
export interface Apache {
  readonly origin: string
  readonly redirectUri: string
  stop(): Promise<void>
}

/** Apache's future address, and how to start it there. A client must know its redirect address before that. */
export interface PlannedApache extends Omit<Apache, 'stop'> {
  /** @param directives for the module, which configure the provider */
  start(directives: readonly string[]): Promise<Apache>
}

export async function planApache(): Promise<PlannedApache> {
  const origin = `http://127.0.0.1:${await freePort()}`
  const redirectUri = `${origin}/signed-in`
  return {
    origin,
    redirectUri,
    async start(directives) {
      const folder = await mkdtemp(join(tmpdir(), 'selfsame-apache-'))
      await chmod(folder, 0o755)
      await mkdir(join(folder, 'site'), { mode: 0o755 })
      await writeFile(join(folder, 'site', 'index.html'), 'for members')
      await writeFile(join(folder, 'apache.conf'), configurationOf(folder, origin, redirectUri, directives))
      const child = spawn(program, ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')], {
        stdio: 'inherit',
      })
      await answering(origin, child)
      return { origin, redirectUri, stop: () => end(child, folder) }
    },
  }
}

function configurationOf(folder: string, origin: string, redirectUri: string, directives: readonly string[]) {
  const needed = {
    mpm_event: 'mpm_event',
    authn_core: 'authn_core',
    authz_core: 'authz_core',
    authz_user: 'authz_user',
    dir: 'dir',
    headers: 'headers',
    auth_openidc: 'auth_openidc',
  }
  // If root starts it, it runs as an unprivileged user.
  const user = process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []
  return [
    `ServerRoot ${folder}`,
    `DefaultRuntimeDir ${folder}`,
    `PidFile ${folder}/apache.pid`,
    `ErrorLog ${folder}/error.log`,
    `Listen ${new URL(origin).host}`,
    'ServerName 127.0.0.1',
    ...Object.entries(needed).map(([name, file]) => `LoadModule ${name}_module ${modules}/mod_${file}.so`),
    ...user,
    `DocumentRoot ${folder}/site`,
    'DirectoryIndex index.html',
    `OIDCRedirectURI ${redirectUri}`,
    // `fetch` sends the headers of a non-navigation, which the module would answer with a 401.
    'OIDCUnAuthAction auth true',
    'OIDCCryptoPassphrase a-passphrase-of-this-test-alone',
    ...directives,
    '<Location />',
    'AuthType openid-connect',
    'Require valid-user',
    // The view that the site has of the signed-in person.
    ...['sub', 'acr', 'verified', 'assurance'].map(
      (claim) => `Header always set X-Claim-${claim} "%{OIDC_CLAIM_${claim}}e"`,
    ),
    '</Location>',
    '',
  ].join('\n')
}

async function answering(origin: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`Apache ended with ${child.exitCode}.`)
    const answer = await fetch(origin, { redirect: 'manual' }).catch(() => undefined)
    if (answer !== undefined) return
    await pause(50)
  }
  throw new Error('Apache does not answer.')
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true, force: true })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}
