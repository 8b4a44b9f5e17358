import { existsSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'

/**
 * [Note: Windows without an address bar] Each Chromium window creates two pages for the popup of its address
 * bar, which take 0.8 of the 1.2 core seconds of a window. Chromium uses only the last such list, so this one repeats Playwright's.
 */
const unwanted = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay'],
  ...['MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  ...['TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning'],
]

/**
 * [Note: Chromium without its windows] Debian's headless shell, if installed, is the same engine without
 * windows, menus and settings, and a page takes a third of the processor time. It lacks wake locks and
 * profile settings, such as blocking cookies.
 */
const headlessShell = '/usr/lib/chromium/chromium-headless-shell'
const wholeChromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
const isShellThere = process.env.CHROMIUM === undefined && existsSync(headlessShell)

/** Debian's Chromium, limited to network connections within this machine. */
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

/** Without a graphics card, software rendering would make a visit take a tenth longer. */
export const withoutGpu = { ...launchOptions, args: [...launchOptions.args, '--disable-gpu'] }

/** For a persistent profile with all of Chromium's features. */
export const profileOptions = { ...withoutGpu, executablePath: wholeChromium }

/** Launches a separate browser. `more` contains additional flags. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...launchOptions, args: [...launchOptions.args, ...more] })
}
