export { acceptQuote } from './accept.ts'
export { declineQuote } from './end.ts'
export { drawQuote } from './paper.ts'
export { surgeryDaysOf } from './read.ts'
