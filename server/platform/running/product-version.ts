/** The version of this program, as in package.json: a semantic version. */
export const productVersion = '0.2.0'

/** The `User-Agent` of every request that the product makes by itself: firewalls refuse requests without one. It says nothing of the machine. */
export const userAgent = `Selfsame/${productVersion}`
