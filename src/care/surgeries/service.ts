export { addToNextCase } from './checklists/checklist.ts'
export { surgeryFieldChanges } from './update-contact.ts'
export { priceCase } from './price.ts'
export { casesWithIds } from './read.ts'
