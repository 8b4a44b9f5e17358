export { createKeptAnswers, type KeptAnswers } from './kept-answers.ts'
export { createOnce, type AnswerOnce } from './once.ts'
