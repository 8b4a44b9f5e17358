/** What imports this file is a test file that runs in the long form alone: see vitest.config.ts. */
export {}
