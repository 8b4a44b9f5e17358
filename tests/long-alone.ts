/** Test files that import this one run only in the long form: see vitest.config.ts. */
export {}
