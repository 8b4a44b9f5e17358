export { createKeptAnswers, type KeptAnswers } from './kept-answers.ts'
export { type AnswerOnce, createOnce } from './once.ts'
