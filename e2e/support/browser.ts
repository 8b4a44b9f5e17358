import { existsSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'

/**
 * [Note: Windows without an address bar] Each window of Chromium's makes two pages for what drops down from its address
 * bar: 0.8 of the 1.2 seconds of a core that a window takes. Chromium heeds the last such list alone, so this one repeats Playwright's.
 */
const unwanted = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay'],
  ...['MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  ...['TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning'],
]

/**
 * [Note: Chromium without its windows] Debian's headless shell, where it is installed, is the same engine without what
 * draws windows, menus and settings: a page of it takes a third of the processor time. It knows no wake lock and no
 * choices of a profile, such as which cookies are refused.
 */
const headlessShell = '/usr/lib/chromium/chromium-headless-shell'
const wholeChromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
const isShellThere = process.env.CHROMIUM === undefined && existsSync(headlessShell)

/** Debian's Chromium, kept off the network but for this machine itself. */
export const launchOptions = {
  executablePath: isShellThere ? headlessShell : wholeChromium,
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-default-apps',
    '--no-default-browser-check',
    `--disable-features=${unwanted}`,
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  ],
}

/** There is no graphics card here: what Chromium draws by one that it plays itself costs a tenth of a visit more. */
export const withoutGpu = { ...launchOptions, args: [...launchOptions.args, '--disable-gpu'] }

/** For a profile that outlives its windows, with all that Chromium knows. */
export const profileOptions = { ...withoutGpu, executablePath: wholeChromium }

/** A browser of its own; `more` are further flags. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...launchOptions, args: [...launchOptions.args, ...more] })
}
