export { acceptQuote } from './accept.ts'
export { declineQuote } from './end.ts'
export { renderQuote } from './pdf.ts'
export { surgeryDaysOf } from './read.ts'
