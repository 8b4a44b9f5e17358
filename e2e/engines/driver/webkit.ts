import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drivenBy, type Engine, type Send } from './engine.ts'
import { freePort, openHousehold, untilDone } from './programs.ts'

/** Shrinks the toolbar, which would otherwise keep the window wider than a phone. */
const narrowBar =
  'button, entry, toolbar, image { min-width: 0; margin: 0; border: 0; padding: 0; font-size: 1px; }\n'

/** Time limits for a one-line first page and for all other pages, in milliseconds. */
const [firstLoad, anyLoad] = [20_000, 300_000]

/**
 * Starts Debian's WebKitGTK (MiniBrowser) with WebKitWebDriver on a virtual screen. [Note: A browser that loads nothing] If
 * all cores are busy while it starts, it may hang on its first page without contacting the server. In that case, another one is started.
 */
export async function openWebkit(tries = 3): Promise<Engine> {
  try {
    return await openOne()
  } catch (error) {
    if (tries === 1) throw error
    console.log(`Restarting WebKit: ${error}`)
    return openWebkit(tries - 1)
  }
}

async function openOne(): Promise<Engine> {
  const household = await openHousehold()
  try {
    await mkdir(join(household.home, 'gtk-3.0'))
    await writeFile(join(household.home, 'gtk-3.0', 'gtk.css'), narrowBar)
    const [port, display] = [await freePort(), `:${await freePort()}`]
    household.start('Xvfb', [display, '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'])
    household.start('WebKitWebDriver', [`--port=${port}`], {
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    })
    const ask = askerOf(`http://127.0.0.1:${port}`)
    const asked = ['--automation', '--enable-media-stream=true', '--enable-mock-capture-devices=true']
    const { sessionId, capabilities } = await untilDone(
      'WebKit',
      async () =>
        ask('POST /session', {
          capabilities: {
            alwaysMatch: {
              timeouts: { pageLoad: firstLoad },
              'webkitgtk:browserOptions': { args: asked },
            },
          },
        }) as Promise<{ sessionId: string; capabilities: { browserVersion: string } }>,
    )
    const send: Send = (command, parameters) => {
      const [method, path] = command.split(' ')
      return ask(`${method} /session/${sessionId}/${path}`, parameters)
    }
    await send('POST url', { url: `http://127.0.0.1:${port}/status` })
    await send('POST timeouts', { pageLoad: anyLoad })
    const driven = drivenBy(send, {
      open: 'POST url',
      run: 'POST execute/sync',
      enter: 'POST frame',
      picture: 'GET screenshot',
    })
    return {
      ...driven,
      name: 'webkit',
      version: capabilities.browserVersion,
      refusesCamera: false,
      async resize(width, height) {
        await send('POST window/rect', { width, height })
        const inner = await driven.run(() => [innerWidth, innerHeight] as const)
        await send('POST window/rect', { width: 2 * width - inner[0], height: 2 * height - inner[1] })
      },
      async quit() {
        await ask(`DELETE /session/${sessionId}`).catch(() => undefined)
        await household.end()
      },
    }
  } catch (error) {
    await household.end()
    throw error
  }
}

/** WebDriver over HTTP. Returns the answer's value or throws its error. */
function askerOf(address: string) {
  return async (line: string, parameters?: object): Promise<unknown> => {
    const [method, path] = line.split(' ') as [string, string]
    const body = method === 'POST' ? { body: JSON.stringify(parameters ?? {}) } : {}
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(address + path, { method, headers, ...body })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`${line}: ${value.error}: ${value.message}`)
    return value
  }
}
