export { addEntryWithin } from './entries.ts'
