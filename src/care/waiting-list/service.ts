export { addEntryWithin } from './entries.ts'
export { lockOpenOffer, patientOfOffer, recordBooked } from './offers.ts'
