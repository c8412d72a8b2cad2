export { recallExport } from './export.ts'
export { letterResponse } from './letter.ts'
export { isRecalled } from './match.ts'
export { joinRecalls, prepareRecall, sendRecallEmail } from './prepare.ts'
