export { notePdfName, renderNote } from './pdf.ts'
export { verifyNotes } from './verify.ts'
