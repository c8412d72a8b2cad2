export { noteForPdf, notePdfName, renderNote } from './pdf.ts'
export { startNarrative } from './narrative.ts'
export { verifyNotes } from './verify.ts'
