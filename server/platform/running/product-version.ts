/** The version of this program, as in package.json. */
export const productVersion = '0.2.0'

/**
 * The `User-Agent` of every request that the product sends by itself, because firewalls refuse requests without one. It
 * reveals nothing about the machine.
 */
export const userAgent = `Selfsame/${productVersion}`
