export { recallExport } from './export.ts'
export { letterResponse } from './letter.ts'
export { isRecalled } from './match.ts'
export { prepareRecall, sendRecallEmail } from './prepare.ts'
