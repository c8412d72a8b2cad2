export { addEntryWithin } from './entries.ts'
export { waitingUrl } from './links.ts'
export { lockOpenOffer, patientOfOffer, recordBooked } from './offers.ts'
