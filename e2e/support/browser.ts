import { type Browser, chromium } from '@playwright/test'

/** Debian's Chromium, kept off the network but for this machine itself. */
export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-default-apps',
    '--no-default-browser-check',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  ],
}

/** A browser of its own; `more` are further flags. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...launchOptions, args: [...launchOptions.args, ...more] })
}
