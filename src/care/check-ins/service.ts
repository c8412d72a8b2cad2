export { answerCheckIn, stopCheckIns } from './follow-up.ts'
