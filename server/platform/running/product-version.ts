/** The version of this program, as in package.json: a semantic version. */
export const productVersion = '0.2.0'
