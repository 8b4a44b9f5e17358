/** This program's version, as in package.json. */
export const productVersion = '1.0.0'

/**
 * The `User-Agent` for every request that the product sends on its own, because firewalls refuse requests without one. It
 * reveals nothing about the machine.
 */
export const userAgent = `Selfsame/${productVersion}`
