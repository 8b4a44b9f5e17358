export { createKeptAnswers, type KeptAnswers } from './kept-answers.ts'
export { createOnce, type Once } from './once.ts'
