export { surgeryFieldChanges } from './update-contact.ts'
export { priceCase } from './price.ts'
