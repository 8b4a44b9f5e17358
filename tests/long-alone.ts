/** Test files that import this one only run in the long form: see vitest.config.ts. */
export {}
