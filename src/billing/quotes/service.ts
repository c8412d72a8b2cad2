export { acceptQuote } from './accept.ts'
export { declineQuote } from './decline-withdraw.ts'
export { renderQuote } from './pdf.ts'
export { surgeryDaysOf } from './read.ts'
